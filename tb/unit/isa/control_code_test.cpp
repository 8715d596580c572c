// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>

namespace tc::isa::control_code_test {
namespace {

TEST(ControlCode, NamesBarriersYieldAndStall) {
  const control_code control = parse_control("B01--4-:R2:W3:Y:S12");
  EXPECT_EQ(control.wait_mask, 0b010011);
  EXPECT_EQ(control.read_barrier, 2);
  EXPECT_EQ(control.write_barrier, 3);
  EXPECT_TRUE(control.yield);
  EXPECT_EQ(control.stall_cycles, 12);
}

TEST(ControlCode, DashesAreNoBarrier) {
  const control_code control = parse_control("B------:R-:W-:-:S00");
  EXPECT_EQ(control.wait_mask, 0);
  EXPECT_EQ(control.read_barrier, control_code::no_barrier);
  EXPECT_EQ(control.write_barrier, control_code::no_barrier);
  EXPECT_FALSE(control.yield);
  EXPECT_EQ(control.stall_cycles, 0);
}

TEST(ControlCode, IsWrittenAsItIsRead) {
  for (const char* const text : {"B01--4-:R2:W3:Y:S12", "B-----5:R-:W0:-:S09", "B------:R-:W-:-:S00"})
    EXPECT_EQ(text_of(parse_control(text)), text);
}

TEST(ControlCode, MayBeAbsent) {
  EXPECT_FALSE(parse_instruction("/*0010*/ NOP", architecture::sm_90).control);
  EXPECT_TRUE(parse_instruction("/*0010*/ [B------:R-:W-:-:S01] NOP", architecture::sm_90).control);
}

}  // namespace
}  // namespace tc::isa::control_code_test
