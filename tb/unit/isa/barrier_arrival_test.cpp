// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/isa/barrier_arrival.hpp>
#include <tc/isa/instruction_parser.hpp>

namespace tc::isa::barrier_arrival_test {
namespace {

instruction parse(std::string_view text) { return parse_operation(text, architecture::sm_90); }

void expect_arrival(std::string_view text, unsigned barrier, unsigned warps, bool waits) {
  const instruction bar = parse(text);
  EXPECT_FALSE(barrier_operands_of(bar).have_registers()) << text;
  const barrier_arrival arrival = arrival_of(bar);
  EXPECT_EQ(arrival.barrier, barrier) << text;
  EXPECT_EQ(arrival.warps, warps) << text;
  EXPECT_EQ(arrival.waits, waits) << text;
}

TEST(barrier_arrival, is_what_the_operands_of_bar_say) {
  expect_arrival("BAR.SYNC", 0, 0, true);
  expect_arrival("BAR.SYNC 0x0", 0, 0, true);
  expect_arrival("BAR.SYNC.DEFER_BLOCKING 0xf", 15, 0, true);
  expect_arrival("BAR.SYNC.DEFER_BLOCKING 0x1, 0x40", 1, 2, true);
  expect_arrival("BAR.ARV 0x2, 0x400", 2, 32, false);
  expect_arrival("BAR.RED.POPC.DEFER_BLOCKING 0x4, 0x60, !P1", 4, 3, true);
  expect_arrival("BAR.RED.OR.DEFER_BLOCKING 0x3, !P0", 3, 0, true);
}

TEST(barrier_arrival, may_be_in_registers) {
  for (const char* text :
       {"BAR.SYNC R6", "BAR.SYNC R6, 0x40", "BAR.SYNC 0x3, R9", "BAR.ARV R9, R9", "BAR.RED.AND R6, 0x40, P1", "BAR.SYNC UR4"})
    EXPECT_TRUE(barrier_operands_of(parse(text)).have_registers()) << text;
}

}  // namespace
}  // namespace tc::isa::barrier_arrival_test
