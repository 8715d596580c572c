// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/instruction_word.hpp>

namespace tc::isa::instruction_word_test {
namespace {

// A word of compiled sm_70 code.
TEST(InstructionWord, HoldsRegistersAndControlCode) {
  const word_fields ffma = fields_of(parse_word("000000040b8c7223 000fc4000000008e"));
  EXPECT_EQ(ffma.opcode, 0x223) << "FFMA, all operands in registers";
  EXPECT_EQ(ffma.d, 140);
  EXPECT_EQ(ffma.a, 11);
  EXPECT_EQ(ffma.b, 4);
  EXPECT_EQ(ffma.c, 142);
  EXPECT_EQ(ffma.predicate, true_predicate);
  EXPECT_FALSE(ffma.predicate_inverted);
  EXPECT_EQ(ffma.control.stall_cycles, 2);
  EXPECT_TRUE(ffma.control.yield) << "the bit is 0";
  EXPECT_EQ(ffma.control.write_barrier, control_code::no_barrier);
  EXPECT_EQ(ffma.control.read_barrier, control_code::no_barrier);
  EXPECT_EQ(ffma.control.wait_mask, 0);
  EXPECT_EQ(ffma.reuse, 0);
}

// What ptxas 13.0 makes of HMMA.1688.F32 R12, R2, R0, R12 that releases SB5 and waits for SB2.
TEST(InstructionWord, HoldsBarriers) {
  const control_code control = fields_of(parse_word("00000000020c723c 004f70000000100c")).control;
  EXPECT_EQ(control.stall_cycles, 8);
  EXPECT_EQ(control.write_barrier, 5);
  EXPECT_EQ(control.read_barrier, control_code::no_barrier);
  EXPECT_EQ(control.wait_mask, 1 << 2);
}

TEST(InstructionWord, IsMadeOfItsFields) {
  for (const char* const text : {"000000040b8c7223 000fc4000000008e", "0000000c01009223 0a5e6a000000008e"})
    EXPECT_EQ(text_of(word_of(fields_of(parse_word(text)))), text);
}

// As ptxas 13.0 encodes it.
TEST(InstructionWord, EncodesStepsOfHmma884) {
  const auto encode = [](const std::string& text) {
    return text_of(encode_hmma_884(parse_instruction("/*0000*/ [B------:R-:W-:-:S02] " + text, architecture::sm_70)));
  };
  EXPECT_EQ(encode("HMMA.884.F32.F32.STEP2 R12, R2.ROW, R4.COL, R12"), "00000004020c7236 000fe4000001540c");
  EXPECT_EQ(encode("HMMA.884.F32.F16.STEP2 R8, R6.ROW, R4.COL, R10"), "0000000406087236 000fe4000001140a");
  EXPECT_EQ(encode("HMMA.884.F16.F16.STEP1 R12, R2.reuse.COL, R4.ROW, R12"), "00000004020c7236 040fe4000000820c");
}

TEST(InstructionWord, RefusesWhatIsNone) {
  for (const char* const text : {"", "000000040b8c7223", "000000040b8c722 000fc4000000008e", "000000040b8c722g 000fc4000000008e"})
    EXPECT_THROW(parse_word(text), std::invalid_argument) << text;
  EXPECT_THROW(encode_hmma_884(parse_instruction("/*0000*/ HMMA.1688.F32 R4, R8, R12, R4", architecture::sm_75)), std::invalid_argument);
}

}  // namespace
}  // namespace tc::isa::instruction_word_test
