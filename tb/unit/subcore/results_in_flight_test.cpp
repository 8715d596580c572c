// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/subcore/operands/port_reservation.hpp>

namespace results_in_flight_test {

namespace {

using namespace tc;

/// Notes the results of one instruction of a warp.
void add(subcore::results_in_flight& results, const std::string& text, std::uint32_t warp_slot, subcore::cycle_t readable) {
  const isa::instruction code = isa::parse_operation(text, isa::architecture::sm_90);
  warp::warp_context warp;
  warp.slot = warp_slot;
  links::warp_instruction instruction;
  instruction.step.code = &code;
  instruction.warp = &warp;
  results.add(instruction, readable);
}

TEST(results_in_flight, knows_every_register_of_a_result) {
  subcore::results_in_flight results;
  add(results, "IMAD.WIDE R4, R0, R1, R2", 3, 20);
  EXPECT_EQ(results.readable(3, 4), 20u);
  EXPECT_EQ(results.readable(3, 5), 20u);
  EXPECT_EQ(results.readable(3, 6), 0u);
  EXPECT_EQ(results.readable(2, 4), 0u);
}

TEST(results_in_flight, gives_the_last_of_two_writers) {
  subcore::results_in_flight results;
  add(results, "LOP3.LUT R4, R0, R1, R2, 0x96, !PT", 0, 20);
  add(results, "LOP3.LUT R4, R0, R1, R2, 0x96, !PT", 0, 22);
  EXPECT_EQ(results.readable(0, 4), 22u);
}

TEST(results_in_flight, says_whether_any_is_still_to_come) {
  subcore::results_in_flight results;
  EXPECT_FALSE(results.any(0));
  add(results, "LOP3.LUT R4, R0, R1, R2, 0x96, !PT", 0, 20);
  add(results, "ISETP.NE.AND P0, PT, R4, RZ, PT", 0, 30);
  EXPECT_TRUE(results.any(19));
  EXPECT_FALSE(results.any(20));
}

}  // namespace

}  // namespace results_in_flight_test
