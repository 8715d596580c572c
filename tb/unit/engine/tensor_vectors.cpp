// SPDX-License-Identifier: Apache-2.0
#include "tensor_vectors.hpp"

#include <algorithm>
#include <cctype>
#include <study/recorded_vectors.hpp>

namespace tc::engine::test {
namespace {

namespace fs = std::filesystem;
using kind = isa::mma_kind;

isa::element_type type_of(const numerics::number_format& format) { return isa::find_element_type(format.name).value(); }

constexpr unsigned row_of(unsigned place) { return 2 * place + place % 2; }

/// An operation with the types of a file.
isa::tensor_mma_operation operation_of(const study::vector_header& header, bool a_in_tensor_memory) {
  const numerics::dot_product_types& types = header.operation.types;
  isa::instruction_descriptor descriptor;
  descriptor.a = type_of(types.a);
  descriptor.b = type_of(types.b);
  descriptor.d = type_of(types.accumulator);
  descriptor.n = vector_batch::most;
  isa::mma_form form{kind::f8f6f4};
  if (types.a == numerics::f16 || types.a == numerics::bf16) form.kind = kind::f16;
  if (types.a == numerics::tf32) form.kind = kind::tf32;
  if (types.scaling) {
    descriptor.scale_type = type_of(types.scaling->format);
    form.kind = header.operation.k == 64 ? kind::mxf4nvf4 : kind::mxf8f6f4;
    form.scales = header.scales() == 4 ? isa::scale_vector::x4 : header.scales() == 2 ? isa::scale_vector::x2 : isa::scale_vector::x1;
  }
  return make_operation(form, descriptor, a_in_tensor_memory);
}

}  // namespace

std::vector<fs::path> tensor_vectors() {
  std::vector<fs::path> files = study::test::recorded_vectors();
  const auto is_other = [](const fs::path& file) { return file.filename().string().rfind("blackwell.tcgen05", 0) != 0; };
  files.erase(std::remove_if(files.begin(), files.end(), is_other), files.end());
  return files;
}

std::string test_name(const fs::path& file) {
  std::string name = file.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

vector_batch::vector_batch(study::vector_reader& reader, bool a_in_tensor_memory)
    : operation_(operation_of(reader.header(), a_in_tensor_memory)), bench_(operation_) {
  study::vector_case values = study::make_case(reader.header());
  while (expected_.size() < most && reader.next(values)) put(reader.header(), values);
}

void vector_batch::put(const study::vector_header& header, const study::vector_case& values) {
  const unsigned column = cases(), row = row_of(column);
  const auto element = [&](study::vector_operand which, unsigned k) {
    return static_cast<std::uint32_t>(study::element_of(header, values, which, 0, 0, k));
  };
  for (unsigned k = 0; k < header.operation.k; ++k) {
    bench_.set_a(row, k, element(study::vector_operand::a, k));
    bench_.set_b(column, k, element(study::vector_operand::b, k));
  }
  bench_.set_c(row, column, element(study::vector_operand::c, 0));
  for (unsigned block = 0; block < header.scales(); ++block) {
    bench_.set_scale_a(row, block, element(study::vector_operand::scale_a, block));
    bench_.set_scale_b(column, block, element(study::vector_operand::scale_b, block));
  }
  expected_.push_back(values.d[0]);
}

unsigned vector_batch::wrong() const {
  unsigned count = 0;
  for (unsigned column = 0; column < cases(); ++column) count += bench_.d(row_of(column), column) == expected_[column] ? 0U : 1U;
  return count;
}

}  // namespace tc::engine::test
