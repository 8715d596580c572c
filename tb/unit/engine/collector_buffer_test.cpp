// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/engine/tensor/collector_buffer.hpp>

namespace tc::engine::collector_buffer_test {
namespace {

using use = isa::collector_use;

collected_operand operand(std::uint32_t cta = 0, unsigned rows = 64, unsigned start = 0x400) {
  isa::matrix_descriptor descriptor;
  descriptor.start = start;
  descriptor.leading_bytes = 16 * rows;
  descriptor.stride_bytes = 128;
  return {0, cta, isa::encode(descriptor, isa::architecture::sm_100), {isa::shared_matrix(descriptor, isa::matrix_major::k, 16, rows, 16)}};
}

TEST(collector_buffer, holds_what_was_filled_until_the_last_use) {
  operand_matrices matrices{true};
  collector_buffer buffer;
  const auto filled = buffer.pass(operand(), use::fill, matrices);
  EXPECT_FALSE(filled.held);
  for (const use next : {use::use, use::use, use::last_use}) {
    const auto used = buffer.pass(operand(), next, matrices);
    EXPECT_TRUE(used.held);
    EXPECT_EQ(used.matrix, filled.matrix);
  }
  EXPECT_FALSE(buffer.pass(operand(), use::use, matrices).held);
  EXPECT_TRUE(buffer.pass(operand(), use::use, matrices).held) << "what was read to be used stays";
}

TEST(collector_buffer, is_filled_anew_even_with_what_it_holds) {
  operand_matrices matrices{true};
  collector_buffer buffer;
  const auto first = buffer.pass(operand(), use::fill, matrices);
  EXPECT_FALSE(buffer.pass(operand(), use::fill, matrices).held);
  EXPECT_NE(buffer.pass(operand(), use::use, matrices).matrix, first.matrix);
}

TEST(collector_buffer, has_the_operand_of_one_instruction_only) {
  for (const collected_operand& other : {operand(1), operand(0, 128), operand(0, 64, 0x800)}) {
    operand_matrices matrices{true};
    collector_buffer buffer;
    buffer.pass(operand(), use::fill, matrices);
    EXPECT_FALSE(buffer.pass(other, use::use, matrices).held);
    EXPECT_FALSE(buffer.pass(operand(), use::use, matrices).held) << "the other one took its place";
  }
}

TEST(collector_buffer, is_empty_behind_an_instruction_that_keeps_nothing) {
  operand_matrices matrices{true};
  collector_buffer buffer;
  buffer.pass(operand(), use::fill, matrices);
  buffer.pass(operand(), use::discard, matrices);
  EXPECT_FALSE(buffer.pass(operand(), use::use, matrices).held);
  buffer.drop();
  EXPECT_FALSE(buffer.pass(operand(), use::use, matrices).held);
}

}  // namespace
}  // namespace tc::engine::collector_buffer_test
