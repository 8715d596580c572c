// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "written_kernel.hpp"

namespace tc::control_flow_test {

using test::joined;
using test::storing;
using test::written_kernel;
using testing::HasSubstr;
using words = std::vector<std::uint32_t>;

const std::vector<std::string> lane_in_r0{"S2R R0, SR_TID.X"};

TEST(control_flow, takes_the_lanes_of_a_warp_two_ways_and_brings_them_together) {
  const auto out = written_kernel(joined({lane_in_r0,
                                          {"ISETP.GE.AND P0, PT, R0, 0x8, PT", "BSSY B0, `(.L_end)", "@P0 BRA `(.L_else)", "MOV R4, 0x1",
                                           "BRA `(.L_end)", ".L_else:", "MOV R4, 0x2", ".L_end:", "BSYNC B0", "VOTE.ALL R5, PT, PT",
                                           "IMAD R6, R4, 0x100, RZ", "POPC R7, R5", "IADD3 R6, R6, R7, RZ"},
                                          storing("R6")}))
                       .run();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], (lane >= 8 ? 0x200U : 0x100U) + 32) << lane;
}

TEST(control_flow, lets_each_lane_loop_as_often_as_it_must) {
  const auto out =
      written_kernel(joined({lane_in_r0,
                             {"MOV R4, RZ", "MOV R5, RZ", "BSSY B0, `(.L_end)", ".L_loop:", "IADD3 R5, R5, R0, RZ", "IADD3 R4, R4, 0x1, RZ",
                              "ISETP.LE.U32.AND P0, PT, R4, R0, PT", "@P0 BRA `(.L_loop)", ".L_end:", "BSYNC B0"},
                             storing("R5")}))
          .run();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], lane * (lane + 1)) << lane;
}

TEST(control_flow, waits_at_a_convergence_barrier_for_no_lane_that_has_ended_or_left) {
  const auto out = written_kernel(joined({lane_in_r0,
                                          {"ISETP.EQ.AND P0, PT, R0, 0x3, PT", "ISETP.EQ.AND P1, PT, R0, 0x5, PT", "BSSY B0, `(.L_end)",
                                           "@P0 EXIT", "@!P1 BRA `(.L_end)", "BREAK P1, B0", "MOV R6, 0x7", "BRA `(.L_store)",
                                           ".L_end:", "BSYNC B0", "VOTE.ALL R6, PT, PT", ".L_store:"},
                                          storing("R6")}))
                       .run();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], lane == 3 ? 0 : lane == 5 ? 7 : 0xffffffd7U) << lane;
}

TEST(control_flow, keeps_a_convergence_barrier_in_a_register_over_a_call) {
  const auto out =
      written_kernel(
          joined({lane_in_r0,
                  {"ISETP.GE.AND P0, PT, R0, 0x10, PT", "MOV R4, 0x5", "BSSY B0, `(.L_end)", "@P0 BRA `(.L_end)", "BMOV.32.CLEAR R10, B0",
                   "MOV R20, 32@lo((written + .L_back@srel))", "MOV R21, 32@hi((written + .L_back@srel))", "CALL.REL.NOINC `(.L_function)",
                   ".L_back:", "BMOV.32 B0, R10", ".L_end:", "BSYNC B0", "VOTE.ALL R5, PT, PT", "POPC R5, R5", "IMAD R4, R4, 0x100, R5"},
                  storing("R4"),
                  {"EXIT", ".L_function:", "BSSY B0, `(.L_in)", "MOV R4, 0x6", ".L_in:", "BSYNC B0", "RET.REL.NODEC R20 `(written)"}}))
          .run();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], (lane < 16 ? 0x600U : 0x500U) + 32) << lane;
}

TEST(control_flow, sends_each_lane_where_its_register_says) {
  // Two instructions for each case, behind the branch.
  const auto out =
      written_kernel(joined({lane_in_r0,
                             {"LOP3.LUT R2, R0, 0x3, RZ, 0xc0, !PT", "IMAD R2, R2, 0x20, RZ", "MOV R3, RZ", "BSSY B0, `(.L_end)",
                              "BRX R2 0x0", "MOV R6, 0x10", "BRA `(.L_end)", "MOV R6, 0x11", "BRA `(.L_end)", "MOV R6, 0x12",
                              "BRA `(.L_end)", "MOV R6, 0x13", "BRA `(.L_end)", ".L_end:", "BSYNC B0"},
                             storing("R6")}))
          .run();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], 0x10 + lane % 4) << lane;
}

/// What is added counts from the instruction behind it, as for BRX.
TEST(control_flow, goes_where_a_uniform_register_says) {
  const auto out =
      written_kernel(joined({{"UMOV UR4, 0x20", "UMOV UR5, URZ", "MOV R6, RZ", "BRXU UR4 0x0", "MOV R6, 0x10", "EXIT", "MOV R6, 0x11"},
                             storing("R6")}))
          .run();
  EXPECT_EQ(out[0], 0x11U);
  EXPECT_EQ(out[31], 0x11U);
}

TEST(control_flow, lets_lanes_of_a_warp_take_a_lock_one_after_the_other) {
  const auto out = written_kernel({"MOV R2, 0x10000", "MOV R3, RZ", "MOV R8, 0x1", "BSSY B0, `(.L_end)",
                                   ".L_try:", "ATOMG.E.CAS.STRONG.GPU PT, R4, [R2.64], RZ, R8", "ISETP.NE.AND P0, PT, R4, RZ, PT",
                                   "@P0 BRA `(.L_try)", "LDG.E R5, [R2.64+0x4]", "IADD3 R5, R5, 0x1, RZ", "STG.E [R2.64+0x4], R5",
                                   "ATOMG.E.EXCH.STRONG.GPU PT, RZ, [R2.64], RZ", ".L_end:", "BSYNC B0"})
                       .block(64)
                       .run();
  EXPECT_EQ(out[0], 0U);
  EXPECT_EQ(out[1], 64U);
}

TEST(control_flow, ends_a_wait_for_what_another_warp_or_another_cta_stores) {
  const std::vector<std::string> wait_for_last{"S2R R0, SR_TID.X",
                                               "S2R R1, SR_CTAID.X",
                                               "MOV R2, 0x10000",
                                               "MOV R3, RZ",
                                               "MOV R8, 0x1",
                                               "ISETP.GE.AND P0, PT, R0, 0x20, PT",
                                               "ISETP.EQ.AND P0, PT, R1, 0x1, P0",
                                               "@P0 STG.E [R2.64], R8",
                                               "@P0 EXIT",
                                               ".L_wait:",
                                               "LDG.E.STRONG.GPU R4, [R2.64]",
                                               "ISETP.EQ.AND P1, PT, R4, RZ, PT",
                                               "@P1 BRA `(.L_wait)",
                                               "STG.E [R2.64+0x4], R4"};
  const auto out = written_kernel(wait_for_last).block(64).grid(2).run();
  EXPECT_EQ(out[1], 1U);
}

TEST(control_flow, opens_a_barrier_when_all_threads_are_there_that_have_not_ended) {
  const auto out =
      written_kernel({"S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x40, PT", "@P0 EXIT", "MOV R4, 0x400", "IMAD R5, R0, 0x4, R4",
                      "STS [R5], R0", "BAR.SYNC.DEFER_BLOCKING 0x0", "IADD3 R6, -R0, 0x3f, RZ", "IMAD R6, R6, 0x4, R4", "LDS R7, [R6]",
                      "MOV R250, 0x10000", "MOV R251, RZ", "IMAD.WIDE.U32 R250, R0, 0x4, R250", "STG.E [R250.64], R7"})
          .block(96)
          .shared(256)
          .output_words(64)
          .run();
  for (unsigned thread = 0; thread < 64; ++thread) EXPECT_EQ(out[thread], 63 - thread);
}

TEST(control_flow, counts_votes_at_a_barrier) {
  const auto out =
      written_kernel(
          joined({lane_in_r0, {"ISETP.LT.AND P0, PT, R0, 0x5, PT", "BAR.RED.POPC.DEFER_BLOCKING 0x0, P0", "B2R.RESULT R4"}, storing("R4")}))
          .block(64)
          .output_words(64)
          .run();
  EXPECT_EQ(out[40], 5U);
}

TEST(control_flow, says_where_a_loop_does_not_end) {
  const std::string message = written_kernel({".L_loop:", "BRA `(.L_loop)"}).limit(100'000).fault();
  EXPECT_THAT(message, HasSubstr("code.sass:5:19: "));
  EXPECT_THAT(message, HasSubstr("'BRA `(.L_loop)' at 0x0000, warp 0 of CTA 0; a CTA has executed 100000 warp instructions here"));
}

TEST(control_flow, says_where_a_jump_leads_into_nothing) {
  const std::string message = written_kernel({"MOV R2, 0x4000", "MOV R3, RZ", "RET.REL.NODEC R2 `(written)"}).fault();
  EXPECT_THAT(message,
              HasSubstr("'RET.REL.NODEC R2 `(written)' at 0x0020, lane 0 of warp 0 of CTA 0 0 0: it goes to 0x4000, where the kernel "
                        "has no instruction"));
}

TEST(control_flow, says_who_waits_for_ever) {
  const std::string message =
      written_kernel({"S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x20, PT", "@P0 BAR.SYNC 0x1, 0x40", "BAR.SYNC 0x0"}).block(64).fault();
  EXPECT_THAT(message, HasSubstr("CTA 0 waits for ever: lanes ffffffff of warp 0 in front of 0x0040 wait for barrier 0"));
  EXPECT_THAT(message, HasSubstr("warp 1 in front of 0x0030 wait for barrier 1"));
}

TEST(control_flow, stops_at_a_trap_and_at_an_instruction_that_is_not_executed) {
  EXPECT_THAT(written_kernel({"BPT.TRAP 0x1"}).fault(), HasSubstr("the kernel traps here"));
  EXPECT_THAT(written_kernel({"NOSUCH R0, R1"}).fault(), HasSubstr("'NOSUCH R0, R1' at 0x0000, warp 0 of CTA 0 0 0: not executed: "));
  EXPECT_EQ(written_kernel({"BRA `(.L_end)", "NOSUCH R0, R1", ".L_end:"}).fault(), "");
}

TEST(control_flow, does_not_go_on_where_a_guard_is_none) {
  EXPECT_THAT(written_kernel({"@P NOP"}).fault(), HasSubstr("a guard is a predicate such as @P0 or @!UP1"));
}

}  // namespace tc::control_flow_test
