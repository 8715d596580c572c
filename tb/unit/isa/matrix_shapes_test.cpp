// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/isa/fragment_layout.hpp>
#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/matrix_shapes.hpp>
#include <tc/isa/register_mma.hpp>

namespace tc::isa::matrix_shapes_test {

namespace {

using type = element_type;

mma_operation shape(unsigned m, unsigned n, unsigned k, type multiplicand = type::f16, type accumulator = type::f32) {
  mma_operation mma;
  mma.m = static_cast<std::uint16_t>(m);
  mma.n = static_cast<std::uint16_t>(n);
  mma.k = static_cast<std::uint16_t>(k);
  mma.a = mma.b = multiplicand;
  mma.c = mma.d = accumulator;
  return mma;
}

/// The part that is wrong and the message; empty if the table takes it.
std::pair<std::string, std::string> refusal(const mma_operation& mma, const std::string& mnemonic = "HMMA.X.F32") {
  matrix_shape_table table;
  try {
    table.declare(mnemonic, mma);
  } catch (const matrix_shape_error& error) {
    return {std::string(error.part()), error.what()};
  }
  return {};
}

TEST(matrix_shape_table, has_an_instruction_that_was_declared_on_every_architecture) {
  matrix_shape_table table;
  table.declare("HMMA.161632.F32.E2M1", shape(16, 16, 32, type::e2m1));
  for (const architecture_info& arch : all_architectures()) {
    const instruction parsed = parse_operation("HMMA.161632.F32.E2M1 R32, R8, R16, R24", arch.arch, 1, table);
    ASSERT_TRUE(parsed.mma);
    EXPECT_EQ(parsed.mma->n, 16);
    EXPECT_EQ(parsed.destinations[0].count, 8);
    EXPECT_EQ(parsed.sources[0].count, 2);
    EXPECT_EQ(parsed.sources[1].count, 2);
    EXPECT_EQ(parsed.sources[2].count, 8);
    EXPECT_THROW(parse_operation("HMMA.161632.F32.E2M1 R32, R8, R16, R24", arch.arch), syntax_error);
  }
  EXPECT_EQ(table.declared(), std::vector<std::string>{"HMMA.161632.F32.E2M1"});
}

TEST(matrix_shape_table, gives_every_element_of_a_declared_shape_one_holder) {
  for (const mma_operation& mma : {shape(16, 16, 32, type::e2m1), shape(16, 8, 32), shape(8, 16, 16, type::s8, type::s32),
                                   shape(8, 16, 4, type::f64, type::f64), shape(16, 16, 8, type::f16, type::f16)}) {
    for (const fragment which : {fragment::a, fragment::b, fragment::d}) {
      const fragment_layout layout(mma, which);
      for (unsigned row = 0; row < layout.rows(); ++row)
        for (unsigned column = 0; column < layout.columns(); ++column) EXPECT_EQ(layout.holders(row, column).size(), 1U);
      EXPECT_EQ(layout.elements() * fragment_layout::lanes, layout.rows() * layout.columns());
    }
  }
}

TEST(matrix_shape_table, lays_sixteen_columns_out_as_eight_and_eight_more) {
  const mma_operation one = shape(16, 8, 16), two = shape(16, 16, 16);
  for (const fragment which : {fragment::b, fragment::d}) {
    const fragment_layout half(one, which), whole(two, which);
    ASSERT_EQ(whole.registers(), 2 * half.registers());
    for (unsigned lane = 0; lane < fragment_layout::lanes; ++lane)
      for (unsigned r = 0; r < half.registers(); ++r)
        for (unsigned e = 0; e < half.elements_per_register(); ++e) {
          const matrix_position at = half.position(lane, r, e);
          EXPECT_TRUE(whole.position(lane, r, e) == at);
          EXPECT_TRUE(whole.position(lane, half.registers() + r, e) == at + column_step(8));
        }
  }
}

TEST(matrix_shape_table, refuses_what_it_cannot_say) {
  EXPECT_EQ(refusal(shape(16, 16, 32, type::e2m1)).second, "");
  EXPECT_EQ(refusal(shape(32, 8, 16)), std::pair(std::string("m"), std::string("m is 8 or 16, is 32")));
  EXPECT_EQ(refusal(shape(16, 12, 16)), std::pair(std::string("n"), std::string("n is 8 or 16, is 12")));
  EXPECT_EQ(refusal(shape(16, 8, 4)).second,
            "k of f16 is 8, a register in each of the four lanes that hold a row, or a power of two times that; is 4");
  EXPECT_EQ(refusal(shape(16, 8, 24)).first, "k");
  EXPECT_EQ(
      refusal(shape(16, 16, 64)),
      std::pair(std::string("k"), std::string("its operands take more registers than a tile of the operand buffers has: 16 of A, 8 of "
                                              "B and 8 of D")));
  EXPECT_EQ(refusal(shape(16, 8, 16, type::e3m2)).second,
            "elements of e3m2 are not multiplied in registers; f16, bf16, tf32, e4m3, e5m2, e2m1, f64, s8, u8, s4, u4, b1 are");
  EXPECT_EQ(refusal(shape(16, 8, 16, type::bf16, type::f16)),
            std::pair(std::string("d"), std::string("products of bf16 accumulate in f32, and D is f16")));
  EXPECT_EQ(refusal(shape(16, 8, 128, type::b1, type::s32)).first, "combine");
  EXPECT_EQ(refusal(shape(8, 8, 4, type::f64, type::f64)), std::pair(std::string("mnemonic"), std::string("products of f64 are a DMMA")));
  EXPECT_EQ(refusal(shape(16, 8, 16), "DMMA.16816.F32").second, "a DMMA multiplies f64, and A is f16");
  for (const char* mnemonic : {"FFMA.X", "HMMA", "HMMA.", "HMMA..X", "HMMA.16816.f32", "MMA.16816"})
    EXPECT_EQ(refusal(shape(16, 8, 16), mnemonic).first, "mnemonic") << mnemonic;
}

TEST(matrix_shape_table, refuses_operands_that_do_not_go_together) {
  mma_operation mixed = shape(16, 8, 16);
  mixed.b = type::bf16;
  EXPECT_EQ(refusal(mixed), std::pair(std::string("b"), std::string("A of f16 goes with B of f16, and B is bf16")));
  mma_operation widened = shape(16, 8, 16);
  widened.c = type::f16;
  EXPECT_EQ(refusal(widened).first, "c");
  mma_operation combined = shape(16, 8, 16);
  combined.combine = bit_operation::conjunction;
  EXPECT_EQ(refusal(combined).first, "combine");
  mma_operation clamped = shape(16, 8, 16);
  clamped.saturate = true;
  EXPECT_EQ(refusal(clamped).first, "saturate");
  mma_operation steps = shape(8, 8, 8);
  steps.instances = 4;
  EXPECT_EQ(refusal(steps).first, "mnemonic");
}

TEST(matrix_shape_table, takes_a_mnemonic_once) {
  matrix_shape_table table;
  table.declare("HMMA.16832.F32", shape(16, 8, 32));
  EXPECT_THROW(table.declare("HMMA.16832.F32", shape(16, 8, 32)), matrix_shape_error);
}

TEST(matrix_shape_table, of_the_hardware_is_held_by_registers_and_buffers) {
  for (const matrix_shape& row : hardware_matrix_shapes()) {
    if (row.digits == "884" && row.op == opcode::hmma) continue;  // not one product of the warp
    mma_operation mma = shape(row.m, row.n, row.k, row.elements, element_kind_of(row.elements).accumulators.front());
    mma.combine = row.combine;
    EXPECT_EQ(refusal(mma, std::string(info(row.op).mnemonic) + ".X").second, "") << row.digits;
    EXPECT_EQ(unheld_reason(mma), "");
  }
}

}  // namespace

}  // namespace tc::isa::matrix_shapes_test
