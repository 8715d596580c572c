// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/machine.hpp>
#include <tc/config/machine_loader.hpp>
#include <tc/isa/tcgen05/zero_column_mask.hpp>

#include "tensor_mma_cases.hpp"

namespace tc::engine::test::tensor_multiplier_test {
namespace {

using kind = isa::mma_kind;
using type = isa::element_type;
using isa::scale_vector;
constexpr auto one = isa::cta_group::one;

const config::arithmetic_parameters& blackwell() {
  static const config::machine machine = config::load_machine(TC_SOURCE_DIR "/configs/blackwell.json");
  return machine.sm.sub_core.tensor_core.arithmetic;
}

class every_kind : public testing::TestWithParam<typed_kind> {
 protected:
  static void expect_products(const std::vector<named_operation>& operations) {
    unsigned number = 0;
    for (const named_operation& each : operations) {
      SCOPED_TRACE(each.name);
      integer_matrices matrices(each.operation, GetParam(), ++number);
      tensor_multiplier multiplier(blackwell());
      ASSERT_NO_FATAL_FAILURE(matrices.bench().multiply(multiplier, number % 2 == 0 ? 12 : isa::tensor_columns));
      matrices.expect_product();
    }
  }
};

TEST_P(every_kind, MultipliesInEveryLayout) {
  const auto operations = operations_in_every_layout(GetParam());
  EXPECT_GT(operations.size(), 2U);
  expect_products(operations);
}

TEST_P(every_kind, MultipliesWhatASparseMatrixStores) { expect_products(sparse_operations(GetParam())); }

INSTANTIATE_TEST_SUITE_P(kinds, every_kind, testing::ValuesIn(typed_kinds()),
                         [](const auto& each) { return testing::PrintToString(each.param); });

TEST(TensorMultiplier, FollowsTheRulesOfTheArithmetic) {
  for (const known_outputs& each : outputs_of_rules()) {
    SCOPED_TRACE(each.rule);
    for (const known_output& known : each.outputs) {
      tensor_mma_bench bench(known.operation());
      put(bench, known.types, known.output);
      tensor_multiplier multiplier(blackwell());
      bench.multiply(multiplier);
      EXPECT_EQ(bench.d(output_row, output_column), known.d) << "output " << &known - each.outputs.data();
    }
  }
}

constexpr typed_kind f16_to_f32{}, mxf8{kind::mxf8f6f4, type::e4m3, type::e4m3, type::f32, scale_vector::x1, type::ue8m0},
    mxf4{kind::mxf4, type::e2m1, type::e2m1, type::f32, scale_vector::x2, type::ue8m0};
constexpr std::uint32_t f32_one = 0x3F800000;

TEST(TensorMultiplier, TakesTheScalesOfEachChunkFromItsOwnCopy) {
  tensor_mma_bench bench(make_operation(form_of(mxf8), descriptor_of(mxf8, 128, 8), false));
  put(bench, mxf8, {{2}, {3}, 0, {130}, {126}});
  const auto spoil = [&bench](const isa::tensor_byte& place) { bench.cell(0, place.address) |= 0xffU << 8 * place.byte; };
  for (const unsigned copy : {0U, 1U, 3U}) {  // row 77 is in chunk 2
    spoil(bench.plan().scale_a()->at({77, 0}, copy));
    spoil(bench.plan().scale_b()->at({5, 0}, copy));
  }
  tensor_multiplier multiplier(blackwell());
  bench.multiply(multiplier);
  EXPECT_EQ(bench.d(77, 5), bits_of(24, type::f32));
}

TEST(TensorMultiplier, LeavesDisabledLanesAlone) {
  isa::tensor_mma_operation operation = make_operation(form_of(f16_to_f32), descriptor_of(f16_to_f32, 128, 8), false);
  operation.disabled_lanes = {0x80000001, 0x00000001, 0, 0x80000000};
  operation.enable_input_d = false;
  tensor_mma_bench bench(operation);
  for (unsigned row = 0; row < 128; ++row) bench.set_c(row, 0, row);
  put(bench, f16_to_f32, {{1}, {1}, 0});
  tensor_multiplier multiplier(blackwell());
  bench.multiply(multiplier);
  for (unsigned row = 0; row < 128; ++row) {
    EXPECT_EQ(bench.d(row, 0), row == 0 || row == 31 || row == 32 || row == 127 ? row : 0) << row;
  }
  EXPECT_EQ(bench.d(77, 5), f32_one) << "the garbage that D held is not added";
}

/// D of A x B with ones in A, and in column c of B, counted from the first one in shared memory, c in the first row.
std::vector<unsigned> masked_columns(std::uint64_t mask, unsigned m, unsigned n) {
  const isa::mma_form form{kind::f16, one, true};
  isa::tensor_mma_operation operation = make_operation(form, descriptor_of(f16_to_f32, m, n), false);
  operation.zero_column_mask = mask;
  operation.enable_input_d = false;
  tensor_mma_bench bench(operation);
  for (unsigned row = 0; row < m; ++row) {
    for (unsigned k = 0; k < 16; ++k) bench.set_a(row, k, bits_of(1, type::f16));
  }
  for (unsigned column = 0; column < bench.plan().first_column() + n; ++column) {
    for (unsigned k = 0; k < 16; ++k) bench.set_b(column, k, bits_of(k == 0 ? column + 1 : 0, type::f16));
  }
  tensor_multiplier multiplier(blackwell());
  bench.multiply(multiplier);
  std::vector<unsigned> columns;
  for (unsigned column = 0; column < n; ++column) {
    columns.push_back(static_cast<unsigned>(numerics::value_of(bench.d(m - 1, column), numerics::f32)));
  }
  return columns;
}

// The examples of the PTX ISA, there with 16 columns a part.
TEST(TensorMultiplier, TakesMaskedColumnsForZero) {
  isa::zero_column_mask mask;
  mask.any = true;
  mask.skip_span = 2;
  mask.use_span = 3;
  const std::vector<unsigned> columns = masked_columns(isa::encode(mask, 128), 128, 64);
  EXPECT_EQ(std::vector<unsigned>(columns.begin(), columns.begin() + 16),
            (std::vector<unsigned>{1, 2, 3, 4, 0, 0, 0, 8, 9, 10, 11, 0, 0, 0, 15, 16}));
  const std::vector<unsigned> shifted = masked_columns(0x0203028301020100, 32, 64);
  EXPECT_EQ(std::vector<unsigned>(shifted.begin(), shifted.begin() + 8), (std::vector<unsigned>{0, 0, 0, 6, 7, 8, 9, 0}));
}

TEST(TensorMultiplier, MultipliesNothingThatASparseMatrixDoesNotStore) {
  const isa::mma_form form{kind::f16, one, false, true};
  tensor_mma_bench bench(make_operation(form, descriptor_of(f16_to_f32, 128, 8, true), false));
  put(bench, f16_to_f32, {{}, {1, 2, std::numeric_limits<double>::infinity(), 4}, 0});
  for (unsigned k = 0; k < 16; ++k) bench.set_a(77, k, bits_of(1, type::f16));
  for (unsigned row = 0; row < 128; ++row) {
    for (unsigned group = 0; group < 8; ++group) bench.set_code(row, group, row == 77 && group == 0 ? 0b1101 : 0b0100);
  }
  tensor_multiplier multiplier(blackwell());
  bench.multiply(multiplier);
  EXPECT_EQ(bench.d(77, 5), bits_of(6, type::f32));
}

/// The text of what a multiplication throws.
std::string refusal(tensor_mma_bench& bench, const config::arithmetic_parameters& arithmetic) {
  tensor_multiplier multiplier(arithmetic);
  try {
    bench.multiply(multiplier);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(TensorMultiplier, RefusesCodesThatThereAreNotAndProductsThatTheMachineDoesNotHave) {
  tensor_mma_bench sparse(make_operation({kind::f16, one, false, true}, descriptor_of(f16_to_f32, 128, 8, true), false));
  for (unsigned row = 0; row < 128; ++row) {
    for (unsigned group = 0; group < 8; ++group) sparse.set_code(row, group, row == 99 && group == 5 ? 0b0101 : 0b0100);
  }
  EXPECT_EQ(refusal(sparse, blackwell()), "metadata of row 99 of A, group 5 of its elements: 0b0101 is no sparsity code of .kind::f16");
  tensor_mma_bench scaled(make_operation(form_of(mxf4), descriptor_of(mxf4, 128, 8), false));
  EXPECT_NE(refusal(scaled, {}).find("arithmetic.mxf4.group_length is 0"), std::string::npos);
}

}  // namespace
}  // namespace tc::engine::test::tensor_multiplier_test
