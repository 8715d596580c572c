// SPDX-License-Identifier: Apache-2.0
#include "tensor_product_kernel.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

namespace tc::device::test::tensor {

namespace {

using engine::tensor_operand;
constexpr std::array operands{tensor_operand::d, tensor_operand::a, tensor_operand::metadata, tensor_operand::scale_a,
                              tensor_operand::scale_b};

void put(tensor_kernel& kernel, const engine::test::tensor_mma_bench& bench, const engine::shared_operand& matrix) {
  const isa::byte_range range = matrix.place.footprint();
  for (unsigned cta = 0; cta < bench.plan().ctas(); ++cta) {
    const auto first = bench.shared(cta).begin();
    kernel.put(range.begin, {first + range.begin, first + range.end}, cta);
  }
}

}  // namespace

tensor_kernel kernel_of(const isa::tensor_mma_operation& operation, const engine::test::tensor_mma_bench& bench, unsigned number) {
  return kernel_of(multiply(operation), bench, number);
}

tensor_kernel kernel_of(const std::string& instructions, const engine::test::tensor_mma_bench& bench, unsigned number) {
  tensor_kernel kernel(number, bench.plan().form().group);
  if (bench.plan().shared_a()) put(kernel, bench, *bench.plan().shared_a());
  put(kernel, bench, bench.plan().shared_b());
  for (const tensor_operand which : operands) {
    if (bench.plan().columns(which).count == 0) continue;
    for (unsigned cta = 0; cta < bench.plan().ctas(); ++cta) kernel.fill(bench.block(bench.plan().columns(which), cta), cta);
    kernel.send(bench.plan().columns(which));
  }
  kernel.issue(instructions);
  kernel.wait();
  return kernel;
}

void take_product(const tensor_kernel& kernel, engine::test::tensor_mma_bench& bench) {
  for (unsigned cta = 0; cta < bench.plan().ctas(); ++cta) {
    bench.take(kernel.sent(0, cta), cta);
    std::size_t next = 1;
    for (const tensor_operand which : operands) {
      const isa::column_range columns = bench.plan().columns(which);
      if (which == tensor_operand::d || columns.count == 0) continue;
      const engine::cell_block before = bench.block(columns, cta), &after = kernel.sent(next++, cta);
      const std::size_t cells = std::size_t{columns.count} * isa::tensor_lanes;
      ASSERT_TRUE(std::equal(before.chunk(0), before.chunk(0) + cells, after.chunk(0))) << "operand in column " << columns.first;
    }
  }
}

}  // namespace tc::device::test::tensor
