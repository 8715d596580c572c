// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "written_kernel.hpp"

namespace tc::lanes_test {

using test::joined;
using test::storing;
using test::written_kernel;

std::vector<std::uint32_t> run(const std::vector<std::string>& lines, const std::string& reg) {
  return written_kernel(joined({{"S2R R0, SR_TID.X"}, lines, storing(reg)})).run();
}

TEST(lanes, exchange_registers) {
  const auto butterfly = run({"SHFL.BFLY PT, R4, R0, 0x3, 0x1f"}, "R4"), down = run({"SHFL.DOWN P0, R4, R0, 0x4, 0x1f"}, "R4"),
             up = run({"SHFL.UP PT, R4, R0, 0x1, RZ"}, "R4"), halves = run({"SHFL.IDX PT, R4, R0, 0x2, 0x101f"}, "R4");
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(butterfly[lane], lane ^ 3U);
    EXPECT_EQ(down[lane], lane < 28 ? lane + 4 : lane);
    EXPECT_EQ(up[lane], lane == 0 ? 0 : lane - 1);
    EXPECT_EQ(halves[lane], lane / 16 * 16 + 2);
  }
}

TEST(lanes, get_zero_from_a_lane_that_does_not_execute_the_exchange) {
  const auto out =
      run({"IADD3 R1, R0, 0x64, RZ", "ISETP.GE.AND P0, PT, R0, 0xb, PT", "MOV R4, 0x1", "@P0 SHFL.UP PT, R4, R1, 0x2, RZ"}, "R4");
  EXPECT_EQ(out[3], 1U);
  EXPECT_EQ(out[11], 0U);
  EXPECT_EQ(out[12], 0U);
  EXPECT_EQ(out[13], 111U);
}

/// As ptxas -O0 writes __shfl_down_sync().
TEST(lanes, exchange_registers_collectively) {
  const auto out =
      run({"MOV R2, 0xffffffff", "WARPSYNC.COLLECTIVE R2, `(behind)", "SHFL.DOWN PT, R4, R0, 0x4, 0x1f", "ENDCOLLECTIVE", "behind:"}, "R4");
  EXPECT_EQ(out[3], 7U);
}

TEST(lanes, find_out_whether_a_register_is_the_same_in_all) {
  EXPECT_EQ(run({"MOV R1, 0xff", "R2UR P1, UR4, R1", "SEL R4, RZ, 0x1, !P1"}, "R4")[3], 0U);
  const auto out = run({"LOP3.LUT R1, R0, 0x10, RZ, 0xc0, !PT", "R2UR P1, UR4, R1", "SEL R4, RZ, 0x1, !P1"}, "R4");
  EXPECT_EQ(out[3], 0U);
  EXPECT_EQ(out[19], 1U);
  EXPECT_EQ(run({"R2UR P1, UR4, R0", "MOV R4, UR4"}, "R4")[9], 0U);
  const auto combined = run(
      {"LOP3.LUT R1, R0, 0x10, RZ, 0xc0, !PT", "ISETP.EQ.AND P1, PT, R0, 0x2, PT", "R2UR.OR P1, UR4, R1", "SEL R4, RZ, 0x1, !P1"}, "R4");
  EXPECT_EQ(combined[2], 1U);
  EXPECT_EQ(combined[3], 0U);
  EXPECT_EQ(combined[19], 1U);
}

/// Two halves of a warp that vote each for itself, while all lanes are together: compiled code takes the way for lanes that are not.
TEST(lanes, vote_with_the_companions_that_they_name) {
  const auto out =
      run({"LOP3.LUT R6, R0, 0x10, RZ, 0xc0, !PT", "SHF.L.U32 R6, R6, 0x0, RZ", "ISETP.EQ.AND P2, PT, R6, RZ, PT",
           "SEL R6, RZ, 0xffff, !P2", "@!P2 MOV R6, 0xffff0000", "@P2 MOV R6, 0xffff", "ISETP.LT.AND P0, PT, R0, 0x10, PT",
           "REDUX.OR UR4, R6", "R2UR P1, URZ, R6", "@!P1 BRA.DIV UR4, `(apart)", "VOTE.ALL P0, P0", "together:", "SEL R4, RZ, 0x1, !P0",
           "BRA `(end)", "apart:", "WARPSYNC R6", "VOTE.ALL P0, P0", "BRA `(together)", "end:"},
          "R4");
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], lane < 16 ? 1U : 0U) << lane;
}

/// As ptxas writes a loop over the values that a uniform register is to have, one after the other.
TEST(lanes, go_round_together_while_one_of_them_does) {
  const auto out =
      run({"LOP3.LUT R1, R0, 0x18, RZ, 0xc0, !PT", "PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x0", "MOV R5, RZ",
           "again:", "PLOP3.LUT P1, PT, PT, PT, PT, 0x8, 0x0", "@P0 R2UR P1, UR4, R1", "IADD3 R5, R5, 0x1, RZ", "@P0 IADD3 R6, R5, UR4, RZ",
           "PLOP3.LUT P0, PT, P1, PT, PT, 0x80, 0x0", "@P0 BRA.U.ANY `(again)", "IADD3 R4, R6, R5, RZ"},
          "R4");
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], (lane & 0x18U) + lane / 8 + 1 + 4) << lane;
}

TEST(lanes, read_what_is_known_of_the_launch) {
  EXPECT_EQ(run({"S2R R4, SR_VIRTID", "SHF.R.U32.HI R4, RZ, 0x8, R4"}, "R4")[3], 0U);
  EXPECT_EQ(run({"S2R R4, SR_VIRTCFG", "SHF.R.U32.HI R4, RZ, 0x8, R4"}, "R4")[3], 64U);
  // In front of code that is not optimised: the stack is above where local memory begins.
  EXPECT_EQ(run({"MOV R1, c[0x0][0x28]", "S2R R5, SR_LMEMHIOFF", "ISETP.GE.U32.AND P0, PT, R1, R5, PT", "SEL R4, RZ, 0x1, !P0"}, "R4")[0],
            1U);
  EXPECT_EQ(run({"MOV R4, c[0x0][0x144]", "IMAD R4, R4, 0x10, RZ", "IADD3 R4, R4, c[0x0][0x188], RZ"}, "R4")[0], 0x11U);
  EXPECT_EQ(run({"MOV R4, c[0x0][0x150]"}, "R4")[0], 0x3f800000U);
}

TEST(lanes, vote_match_and_reduce) {
  EXPECT_EQ(run({"ISETP.LT.AND P0, PT, R0, 0x4, PT", "VOTE.ANY R4, PT, P0"}, "R4")[9], 0xfU);
  EXPECT_EQ(run({"LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT", "MATCH.ANY R4, R1"}, "R4")[3], 0xaaaaaaaaU);
  EXPECT_EQ(run({"REDUX.SUM UR4, R0", "MOV R4, UR4"}, "R4")[0], 496U);
  EXPECT_EQ(run({"IADD3 R1, -R0, RZ, RZ", "REDUX.MIN.S32 UR4, R1", "MOV R4, UR4"}, "R4")[0], 0xffffffe1U);
  EXPECT_EQ(run({"REDUX.OR UR4, R0", "MOV R4, UR4"}, "R4")[0], 31U);
  EXPECT_EQ(run({"LOP3.LUT R1, R0, 0x30, RZ, 0xfc, !PT", "REDUX UR4, R1", "MOV R4, UR4"}, "R4")[0], 0x30U);
}

TEST(lanes, move_predicates_to_registers_and_back) {
  const auto out = run({"ISETP.LT.AND P0, PT, R0, 0x4, PT", "ISETP.GE.AND P2, PT, R0, 0x2, PT", "P2R R4, PR, RZ, 0x7f", "R2P PR, R0, 0x2",
                        "@P1 IADD3 R4, R4, 0x100, RZ"},
                       "R4");
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane] & 0x105U, (lane < 4 ? 1U : 0U) | (lane >= 2 ? 4U : 0U) | ((lane & 2U) != 0 ? 0x100U : 0U)) << lane;
}

TEST(lanes, keep_predicates_in_a_byte_of_a_register) {
  const auto out = run({"ISETP.LT.AND P0, PT, R0, 0x4, PT", "MOV R4, 0xff00ff", "P2R.B1 R4, PR, R4, 0xf"}, "R4");
  EXPECT_EQ(out[0] & 0xff01ffU, 0xff01ffU);
  EXPECT_EQ(out[9] & 0xff01ffU, 0xff00ffU);
}

TEST(lanes, divide_integers_as_compiled_code_does) {
  // Unsigned division by way of MUFU.RCP, as nvcc writes it: R4 = (1000 + 77 lane) / (lane + 1).
  const auto out = run({"IADD3 R8, R0, 0x1, RZ", "IMAD R9, R0, 0x4d, RZ", "IADD3 R9, R9, 0x3e8, RZ", "I2F.U32.RP R2, R8", "MUFU.RCP R2, R2",
                        "IADD3 R3, R2, 0xffffffe, RZ", "F2I.FTZ.U32.TRUNC.NTZ R5, R3", "MOV R4, RZ", "IADD3 R6, RZ, -R5, RZ",
                        "IMAD R7, R6, R8, RZ", "IMAD.HI.U32 R5, R5, R7, R4", "IMAD.HI.U32 R4, R5, R9, RZ", "IADD3 R6, -R4, RZ, RZ",
                        "IMAD R6, R8, R6, R9", "ISETP.GE.U32.AND P0, PT, R6, R8, PT", "@P0 IADD3 R6, R6, -R8, RZ",
                        "@P0 IADD3 R4, R4, 0x1, RZ", "ISETP.GE.U32.AND P1, PT, R6, R8, PT", "@P1 IADD3 R4, R4, 0x1, RZ"},
                       "R4");
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], (1000 + 77 * lane) / (lane + 1)) << lane;
}

TEST(lanes, add_pairs_of_uniform_registers) {
  const std::vector<std::string> sum{"UMOV UR4, 0xffffffff", "UMOV UR5, 0x1", "UMOV UR6, 0x3", "UMOV UR7, 0x10",
                                     "UIADD3.64 UR8, UR4, UR6, URZ"};
  EXPECT_EQ(run(joined({sum, {"MOV R4, UR8"}}), "R4")[0], 2U);
  EXPECT_EQ(run(joined({sum, {"MOV R4, UR9"}}), "R4")[0], 0x12U);
}

}  // namespace tc::lanes_test
