#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <study/recorded_vectors.hpp>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/machine.hpp>
#include <tc/config/machine_loader.hpp>
#include <tc/study/vector_file.hpp>

#include "tensor_mma_bench.hpp"

namespace tc::engine::test {
namespace {

namespace fs = std::filesystem;
using kind = isa::mma_kind;

std::vector<fs::path> tensor_vectors() {
  std::vector<fs::path> files = study::test::recorded_vectors();
  const auto is_other = [](const fs::path& file) { return file.filename().string().rfind("blackwell.tcgen05", 0) != 0; };
  files.erase(std::remove_if(files.begin(), files.end(), is_other), files.end());
  return files;
}

isa::element_type type_of(const numerics::number_format& format) { return isa::find_element_type(format.name).value(); }

/// Cases that an operation computes, each in a column of its own, and in one of twice as many rows.
constexpr unsigned cases_at_once = 64;

constexpr unsigned row_of(unsigned place) { return 2 * place + place % 2; }

/// An operation with the types of a file.
isa::tensor_mma_operation operation_of(const study::vector_header& header, bool a_in_tensor_memory) {
  const numerics::dot_product_types& types = header.operation.types;
  isa::instruction_descriptor descriptor;
  descriptor.a = type_of(types.a);
  descriptor.b = type_of(types.b);
  descriptor.d = type_of(types.accumulator);
  descriptor.n = cases_at_once;
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

void put_scales(tensor_mma_bench& bench, const study::vector_header& header, const study::vector_case& values, unsigned place) {
  for (unsigned block = 0; block < header.scales(); ++block) {
    const auto scale = [&](study::vector_operand which) {
      return static_cast<std::uint32_t>(study::element_of(header, values, which, 0, 0, block));
    };
    bench.set_scale_a(row_of(place), block, scale(study::vector_operand::scale_a));
    bench.set_scale_b(place, block, scale(study::vector_operand::scale_b));
  }
}

/// A case is an element of D.
void put(tensor_mma_bench& bench, const study::vector_header& header, const study::vector_case& values, unsigned place) {
  const auto element = [&](study::vector_operand which, unsigned k) {
    return static_cast<std::uint32_t>(study::element_of(header, values, which, 0, 0, k));
  };
  for (unsigned k = 0; k < header.operation.k; ++k) {
    bench.set_a(row_of(place), k, element(study::vector_operand::a, k));
    bench.set_b(place, k, element(study::vector_operand::b, k));
  }
  bench.set_c(row_of(place), place, element(study::vector_operand::c, 0));
  put_scales(bench, header, values, place);
}

class tensor_file : public testing::TestWithParam<fs::path> {};

TEST_P(tensor_file, IsReproduced) {
  study::vector_reader reader(GetParam());
  const study::vector_header& header = reader.header();
  const config::machine machine = config::load_machine(TC_SOURCE_DIR "/configs/blackwell.json");
  tensor_multiplier multiplier(machine.sm.sub_core.tensor_core.arithmetic);
  unsigned cases = 0, wrong = 0;
  for (bool more = true, in_tensor_memory = false; more; in_tensor_memory = !in_tensor_memory) {
    tensor_mma_bench bench(operation_of(header, in_tensor_memory));
    std::vector<std::uint32_t> expected;
    study::vector_case values = study::make_case(header);
    while (expected.size() < cases_at_once && (more = reader.next(values))) {
      put(bench, header, values, static_cast<unsigned>(expected.size()));
      expected.push_back(values.d[0]);
    }
    ASSERT_NO_FATAL_FAILURE(bench.multiply(multiplier));
    for (unsigned place = 0; place < expected.size(); ++place, ++cases) wrong += bench.d(row_of(place), place) == expected[place] ? 0U : 1U;
  }
  EXPECT_EQ(cases, header.cases);
  EXPECT_GT(cases, cases_at_once) << "A has not been in both memories";
  EXPECT_EQ(wrong, 0U);
}

INSTANTIATE_TEST_SUITE_P(vectors, tensor_file, testing::ValuesIn(tensor_vectors()), [](const auto& file) {
  std::string name = file.param.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace tc::engine::test
