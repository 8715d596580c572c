// SPDX-License-Identifier: Apache-2.0
#include <engine/tensor_mma_cases.hpp>
#include <engine/tensor_vectors.hpp>
#include <iostream>

#include <gtest/gtest.h>

#include "tensor_kernel.hpp"

// Products of tcgen05.mma, as traces compute them on a machine: each operation is a kernel of its own, and all those of a test run one
// after the other.

namespace tc::device::test::tensor::tensor_product_run_test {
namespace {

using namespace engine::test;

/// Runs the kernels of benches, and gives them the products.
void multiply(std::vector<tensor_kernel> kernels, const std::vector<tensor_mma_bench*>& benches) {
  expect_finished(run(kernels));
  for (std::size_t i = 0; i < kernels.size(); ++i) ASSERT_NO_FATAL_FAILURE(take_product(kernels[i], *benches[i])) << "kernel " << i;
}

class vectors_on_machine : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(vectors_on_machine, come_out_bit_for_bit) {
  study::vector_reader reader(GetParam());
  std::vector<vector_batch> batches;
  unsigned cases = 0, wrong = 0;
  while (cases < reader.header().cases) {
    batches.emplace_back(reader, batches.size() % 2 == 1);
    ASSERT_GT(batches.back().cases(), 0U);
    cases += batches.back().cases();
  }
  std::vector<tensor_kernel> kernels;
  std::vector<tensor_mma_bench*> benches;
  for (vector_batch& batch : batches) {
    kernels.push_back(kernel_of(batch.operation(), batch.bench(), static_cast<unsigned>(kernels.size())));
    benches.push_back(&batch.bench());
  }
  ASSERT_NO_FATAL_FAILURE(multiply(std::move(kernels), benches));
  for (const vector_batch& batch : batches) wrong += batch.wrong();
  EXPECT_EQ(wrong, 0U);
  std::cout << cases << " cases\n";
}

INSTANTIATE_TEST_SUITE_P(of, vectors_on_machine, testing::ValuesIn(tensor_vectors()),
                         [](const auto& file) { return test_name(file.param); });

class kind_on_machine : public testing::TestWithParam<typed_kind> {
 protected:
  static void expect_products(const std::vector<named_operation>& operations) {
    std::vector<integer_matrices> matrices;
    std::vector<std::string> names;
    std::vector<tensor_kernel> kernels;
    for (const named_operation& each : operations) {
      names.push_back(each.name);
      matrices.emplace_back(each.operation, GetParam(), static_cast<unsigned>(names.size()));
      kernels.push_back(kernel_of(each.operation, matrices.back().bench(), static_cast<unsigned>(kernels.size())));
    }
    std::vector<tensor_mma_bench*> benches;
    for (integer_matrices& each : matrices) benches.push_back(&each.bench());
    ASSERT_NO_FATAL_FAILURE(multiply(std::move(kernels), benches));
    for (std::size_t i = 0; i < names.size(); ++i) {
      SCOPED_TRACE(names[i]);
      matrices[i].expect_product();
    }
  }
};

TEST_P(kind_on_machine, multiplies_in_every_layout) {
  std::vector<named_operation> operations = operations_in_every_layout(GetParam()), sparse = sparse_operations(GetParam());
  operations.insert(operations.end(), sparse.begin(), sparse.end());
  expect_products(operations);
}

INSTANTIATE_TEST_SUITE_P(of, kind_on_machine, testing::ValuesIn(typed_kinds()),
                         [](const auto& each) { return testing::PrintToString(each.param); });

class rule_on_machine : public testing::TestWithParam<known_outputs> {};

TEST_P(rule_on_machine, is_followed) {
  const std::vector<known_output>& outputs = GetParam().outputs;
  std::vector<tensor_mma_bench> benches;
  std::vector<tensor_mma_bench*> pointers;
  std::vector<tensor_kernel> kernels;
  for (const known_output& each : outputs) {
    const isa::tensor_mma_operation operation = each.operation();
    put(benches.emplace_back(operation), each.types, each.output);
    kernels.push_back(kernel_of(operation, benches.back(), static_cast<unsigned>(kernels.size())));
  }
  for (tensor_mma_bench& bench : benches) pointers.push_back(&bench);
  ASSERT_NO_FATAL_FAILURE(multiply(std::move(kernels), pointers));
  for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(benches[i].d(output_row, output_column), outputs[i].d) << "output " << i;
}

INSTANTIATE_TEST_SUITE_P(of, rule_on_machine, testing::ValuesIn(outputs_of_rules()), [](const auto& each) { return each.param.rule; });

}  // namespace
}  // namespace tc::device::test::tensor::tensor_product_run_test
