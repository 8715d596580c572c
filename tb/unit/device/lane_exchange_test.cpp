// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include "test_machine.hpp"

// What lanes compute from each other's values, and what they keep in local memory.

namespace tc::device::test::lane_exchange_test {
namespace {

/// A warp of sm_80 with the lane's number in R7, and global addresses in R2 that follow each other in words. R30 has no value.
std::string one_warp(const std::string& header, const std::string& body) {
  return kernel_header(1, 1, "memory 0x2000 1024 zero\n" + header, "sm_80") + cta_line(0) + warp_line(0) +
         "/*f000*/ S2R R7, SR_LANEID\n/*f010*/ SHF.L.U32 R0, R7, 0x2, RZ\n/*f020*/ IADD3 R2, R0, 0x2000, RZ\n/*f030*/ MOV R3, 0x0\n" +
         body + "/*fff0*/ EXIT\n";
}

accounting::run_result result_of(const std::string& text) {
  test_machine machine(preset("ampere"), {text});
  return machine.run();
}

void expect_exact(const std::string& text) {
  const accounting::run_result result = result_of(text);
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_EQ(result.undefined_bytes(), 0U);
  EXPECT_TRUE(result.warnings().empty()) << result.warnings().front();
}

const std::string store = "/*0100*/ STG.E [R2.64], R9 @ 0x2000+4\n";

TEST(lane_exchange, shuffles_move_registers_between_lanes) {
  expect_exact(one_warp("expect 0x2000 16 hex 01000000020000000300000004000000\nexpect 0x207c 4 hex 1f000000\n",
                        "/*0000*/ SHFL.DOWN PT, R9, R7, 0x1, 0x1f\n" + store));
}

TEST(lane_exchange, shuffles_say_which_lanes_had_a_source) {
  expect_exact(one_warp("expect 0x2000 4 zero\nexpect 0x2004 12 hex 010000000100000001000000\n",
                        "/*0000*/ SHFL.UP P0, R9, R7, 0x1, RZ\n/*0010*/ SEL R9, RZ, 0x1, !P0\n" + store));
}

TEST(lane_exchange, a_lane_gets_no_value_from_one_that_has_none) {
  const accounting::run_result result = result_of(one_warp("expect 0x2000 128 zero\n",
                                                           "/*0000*/ MOV R8, 0x0 mask fffffff7\n"
                                                           "/*0010*/ SHFL.BFLY PT, R9, R8, 0x1, 0x1f\n" +
                                                               store));
  EXPECT_EQ(result.undefined_bytes(), 4U) << "of lane 2 alone";
}

TEST(lane_exchange, votes_are_of_the_lanes_that_take_part) {
  expect_exact(one_warp("expect 0x2000 4 hex f0000000\nexpect 0x2004 4 hex f0000000\n",
                        "/*0000*/ ISETP.GE.U32.AND P0, PT, R7, 0x4, PT\n/*0010*/ VOTE.ANY R9, PT, P0 mask 000000ff\n" +
                            store.substr(0, store.find('@')) + "mask 00000003 @ 0x2000+4\n"));
}

TEST(lane_exchange, equal_values_find_each_other) {
  expect_exact(one_warp("expect 0x2000 8 hex 55555555aaaaaaaa\n",
                        "/*0000*/ LOP3.LUT R8, R7, 0x1, RZ, 0xc0, !PT\n/*0010*/ MATCH.ANY R9, R8\n" + store));
}

TEST(lane_exchange, reductions_of_a_warp_go_into_a_uniform_register) {
  expect_exact(one_warp("expect 0x2000 4 hex f0010000\n", "/*0000*/ REDUX.SUM UR4, R7\n/*0010*/ MOV R9, UR4\n" + store));
}

TEST(lane_exchange, of_a_vote_nothing_is_known_if_one_lane_has_no_value) {
  const accounting::run_result result = result_of(one_warp("expect 0x2000 128 zero\n",
                                                           "/*0000*/ ISETP.GE.U32.AND P0, PT, R30, 0x4, PT\n"
                                                           "/*0010*/ VOTE.ANY R9, PT, P0\n" +
                                                               store));
  EXPECT_EQ(result.undefined_bytes(), 128U);
}

TEST(local_memory, keeps_what_each_lane_stores) {
  expect_exact(one_warp("expect 0x2000 16 hex 00ffffff01ffffff02ffffff03ffffff\n",
                        "/*0000*/ MOV R8, 0xffffffff\n/*0010*/ STL [0xff8], R8 @ 0xff8\n/*0020*/ STL.U8 [0xff8], R7 @ 0xff8\n"
                        "/*0030*/ LDL R9, [0xff8] @ 0xff8\n" +
                            store));
}

TEST(local_memory, gives_parts_of_words_with_their_sign) {
  expect_exact(one_warp("expect 0x2000 4 hex 80ffffff\n",
                        "/*0000*/ MOV R8, 0x8001\n/*0010*/ STL [0x10], R8 @ 0x10\n/*0020*/ LDL.S8 R9, [0x11] @ 0x11\n" + store));
}

TEST(local_memory, has_no_value_where_a_lane_has_stored_none) {
  const accounting::run_result result = result_of(
      one_warp("expect 0x2000 128 zero\n", "/*0000*/ STL [0x10], RZ mask fffffff0 @ 0x10\n/*0010*/ LDL R9, [0x10] @ 0x10\n" + store));
  EXPECT_EQ(result.undefined_bytes(), 16U);
}

}  // namespace
}  // namespace tc::device::test::lane_exchange_test
