// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "written_kernel.hpp"

namespace tc::memory_test {

using test::joined;
using test::storing;
using test::written_kernel;
using testing::HasSubstr;

const std::vector<std::string> input_in_r2{"S2R R0, SR_TID.X", "MOV R2, 0x20000", "MOV R3, RZ"};

/// What lane 0 stores of a register after some instructions.
std::uint32_t first_word(const std::vector<std::string>& lines, const std::string& reg, const std::vector<std::uint32_t>& input = {0}) {
  return written_kernel(joined({input_in_r2, lines, storing(reg)})).input_words(input).run()[0];
}

TEST(memory, loads_parts_of_words_with_and_without_their_sign) {
  const std::vector<std::uint32_t> input{0x8081f2c3};
  EXPECT_EQ(first_word({"LDG.E.U8 R4, [R2.64]"}, "R4", input), 0xc3U);
  EXPECT_EQ(first_word({"LDG.E.S8 R4, [R2.64+0x1]"}, "R4", input), 0xfffffff2U);
  EXPECT_EQ(first_word({"LDG.E.S16 R4, [R2.64+0x2]"}, "R4", input), 0xffff8081U);
  EXPECT_EQ(first_word({"LDG.E.U16 R4, [R2.64+0x2]"}, "R4", input), 0x8081U);
}

TEST(memory, keeps_local_memory_of_each_thread_apart) {
  const auto out = written_kernel(joined({{"S2R R0, SR_TID.X", "LDC R1, c[0x0][0x28]", "VIADD R1, R1, 0xfffffff0", "STL [R1], R0",
                                           "STL.U8 [R1+0x4], R0", "LDL R4, [R1]"},
                                          storing("R4")}))
                       .run();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], lane);
}

TEST(memory, finds_shared_and_local_memory_at_generic_addresses) {
  const auto out =
      written_kernel(joined({{"S2R R0, SR_TID.X", "LDC R1, c[0x0][0x28]", "VIADD R1, R1, 0xffffff00", "STL [R1], R0",
                              "IADD3 R4, P0, R1, c[0x0][0x20], RZ", "IADD3.X R5, RZ, c[0x0][0x24], RZ, P0, !PT", "LD.E R6, [R4.64]"},
                             storing("R6")}))
          .run();
  EXPECT_EQ(out[9], 9U);
}

TEST(memory, copies_to_shared_memory_and_writes_zeros_where_the_predicate_is_false) {
  std::vector<std::uint32_t> input(128);
  for (unsigned i = 0; i < input.size(); ++i) input[i] = 100 + i;
  const auto out = written_kernel(joined({input_in_r2,
                                          {"MOV R4, 0x400", "IMAD R4, R0, 0x10, R4", "IMAD.WIDE.U32 R2, R0, 0x10, R2",
                                           "ISETP.NE.AND P0, PT, R0, 0x3, PT", "LDGSTS.E.BYPASS.128 [R4], [R2.64], P0", "LDGDEPBAR",
                                           "DEPBAR.LE SB0, 0x0", "LDS R5, [R4+0x8]"},
                                          storing("R5")}))
                       .shared(512)
                       .input_words(input)
                       .run();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out[lane], lane == 3 ? 0 : 100 + 4 * lane + 2) << lane;
}

TEST(memory, deals_matrices_as_ldmatrix_does) {
  // Rows of eight halves, each half its own number.
  std::vector<std::string> fill{"S2R R0, SR_TID.X", "MOV R4, 0x400", "IMAD R5, R0, 0x10, R4"};
  for (unsigned word = 0; word < 4; ++word) {
    fill.push_back("IMAD R6, R0, 0x8, RZ");
    fill.push_back("IADD3 R6, R6, " + std::to_string(2 * word) + ", RZ");
    fill.push_back("IADD3 R7, R6, 0x1, RZ");
    fill.push_back("IMAD R6, R7, 0x10000, R6");
    fill.push_back("STS [R5+" + std::to_string(4 * word) + "], R6");
  }
  const auto plain = written_kernel(joined({fill, {"LDSM.16.M88.4 R8, [R5]"}, storing("R9")})).shared(512).run();
  const auto transposed = written_kernel(joined({fill, {"LDSM.16.MT88.4 R8, [R5]"}, storing("R9")})).shared(512).run();
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned line = lane / 4, first = lane % 4 * 2;
    EXPECT_EQ(plain[lane], ((8 + line) * 8 + first) | ((8 + line) * 8 + first + 1) << 16U) << lane;
    EXPECT_EQ(transposed[lane], ((8 + first) * 8 + line) | ((8 + first + 1) * 8 + line) << 16U) << lane;
  }
}

TEST(memory, adds_compares_and_exchanges_atomically) {
  const auto atomic = [](const std::string& instruction, const std::vector<std::uint32_t>& input) {
    const auto out = written_kernel(joined({input_in_r2, {instruction, "LDG.E R4, [R2.64]"}, storing("R4")})).input_words(input).run();
    return out[0];
  };
  EXPECT_EQ(atomic("RED.E.ADD.STRONG.GPU [R2.64], R0", {5}), 5U + 31 * 16);
  EXPECT_EQ(atomic("RED.E.MAX.STRONG.GPU [R2.64], R0", {0xffffffff}), 0xffffffffU);
  EXPECT_EQ(atomic("RED.E.MAX.S32.STRONG.GPU [R2.64], R0", {0xffffffff}), 31U);
  EXPECT_EQ(atomic("RED.E.MIN.S32.STRONG.GPU [R2.64], R0", {7}), 0U);
  EXPECT_EQ(atomic("RED.E.OR.STRONG.GPU [R2.64], R0", {0x100}), 0x11fU);
  EXPECT_EQ(atomic("ATOMG.E.INC.STRONG.GPU PT, R5, [R2.64], R0", {0}), 31U);
}

TEST(memory, adds_numbers_atomically_alone_and_in_pairs) {
  const auto add = [](const std::string& instruction, const std::string& value, const std::vector<std::uint32_t>& input) {
    return written_kernel(joined({input_in_r2, {"MOV R6, " + value, "MOV R7, " + value, instruction, "LDG.E R4, [R2.64]"}, storing("R4")}))
        .input_words(input)
        .run()[0];
  };
  EXPECT_EQ(add("RED.E.ADD.F32.FTZ.RN.STRONG.GPU [R2.64], R6", "0x3f800000", {0x3f000000}), 0x42020000U);  // 0.5 + 32
  EXPECT_EQ(add("RED.E.ADD.F16x2.RN.STRONG.GPU [R2.64], R6", "0x3c003800", {0}), 0x50004c00U);             // 32 and 16
  EXPECT_EQ(add("RED.E.ADD.BF16x2.RN.STRONG.GPU [R2.64], R6", "0x3f803f00", {0}), 0x42004180U);
  EXPECT_EQ(add("RED.E.ADD.64.STRONG.GPU [R2.64], R6", "0x1", {0, 0}), 32U);
}

TEST(memory, says_whether_a_conditional_store_to_shared_memory_came_about) {
  const auto out =
      written_kernel(
          joined({{"S2R R0, SR_TID.X", "MOV R4, 0x400", "MOV R5, RZ", "ATOMS.CAST.SPIN P0, [R4], RZ, R0", "@P0 IADD3 R5, R5, 0x1, RZ"},
                  storing("R5")}))
          .shared(64)
          .run();
  // Lane 0 replaces the zero by a zero and lane 1 by a one, so that the others find none.
  EXPECT_EQ(std::vector<std::uint32_t>(out.begin(), out.begin() + 3), (std::vector<std::uint32_t>{1, 1, 0}));
}

TEST(memory, stores_pairs_under_a_condition_in_shared_and_at_generic_addresses) {
  // As compiled code adds an f64: the store came about if the pair that it gives is 1.
  const std::vector<std::string> begin{"S2R R0, SR_TID.X", "MOV R4, 0x408", "MOV R5, 0x7",
                                       "MOV R6, 0x9",      "MOV R7, 0x8",   "ISETP.EQ.AND P2, PT, R0, 0x3, PT"};
  const auto shared = written_kernel(joined({begin,
                                             {"MOV R8, RZ", "MOV R9, 0x77", "MOV R10, RZ", "MOV R11, RZ", "@P2 STS.64 [R4], R8",
                                              "@P2 ATOMS.CAST.SPIN.64 R10, [R4], R8, R6", "ISETP.EQ.U32.AND P0, PT, R10, 0x1, PT",
                                              "ISETP.EQ.U32.AND.EX P0, PT, R11, RZ, PT, P0", "SEL R12, RZ, 0x1, !P0"},
                                             storing("R12")}))
                          .shared(64)
                          .run();
  EXPECT_EQ(shared[3], 1U);
  EXPECT_EQ(shared[4], 0U);
  EXPECT_EQ(first_word({"LDG.E R5, [R2.64]", "MOV R6, 0x9", "ATOM.E.CAST PT, R4, [R2.64], R5, R6"}, "R4", {5}), 1U);
}

TEST(memory, exchanges_and_compares_sixteen_bytes) {
  const std::vector<std::string> load{"MOV R4, 0x1",  "MOV R5, 0x2",  "MOV R6, 0x3",
                                      "MOV R7, 0x4",  "MOV R8, 0xa",  "MOV R9, 0xb",
                                      "MOV R10, 0xc", "MOV R11, 0xd", "ISETP.EQ.AND P2, PT, R0, RZ, PT"};
  const auto result = [&](const std::string& atomic, const std::vector<std::uint32_t>& input) {
    return first_word(joined({load, {"@P2 " + atomic, "LDG.E R16, [R2.64+0xc]", "IMAD R16, R16, 0x100, R12"}}), "R16", input);
  };
  const std::string compare = "ATOMG.E.CAS.128.STRONG.GPU PT, R12, [R2], R4, R8",
                    exchange = "ATOMG.E.EXCH.128.STRONG.GPU PT, R12, [R2.64], R8";
  EXPECT_EQ(result(compare, {1, 2, 3, 4}), 0xd01U);
  EXPECT_EQ(result(compare, {1, 2, 3, 5}), 0x501U);
  EXPECT_EQ(result(exchange, {6, 2, 3, 5}), 0xd06U);
}

/// Sums of f32 in global memory know no subnormal numbers (PTX ISA, atom).
TEST(memory, flushes_subnormal_numbers_where_the_code_says_so) {
  EXPECT_EQ(first_word({"MOV R6, 0x1", "RED.E.ADD.F32.FTZ.RN.STRONG.GPU [R2.64], R6", "LDG.E R4, [R2.64]"}, "R4", {0x00000005}), 0U);
}

TEST(memory, knows_which_window_an_address_is_in) {
  const std::vector<std::string> shared_address{"S2R R0, SR_TID.X", "MOV R5, c[0x0][0x1c]", "MOV R4, c[0x0][0x18]",
                                                "IADD3 R4, R4, 0x400, RZ"};
  const auto asked = [&](const std::string& query) {
    return written_kernel(joined({shared_address, {query + " P0, RZ, [R4.64]", "SEL R6, RZ, 0x1, !P0"}, storing("R6")}))
        .shared(64)
        .run()[0];
  };
  EXPECT_EQ(asked("QSPC.E.S"), 1U);
  EXPECT_EQ(asked("QSPC.E.L"), 0U);
  EXPECT_EQ(asked("QSPC.E.G"), 0U);
  EXPECT_EQ(first_word({"QSPC.E.G P0, RZ, [R2.64]", "SEL R4, RZ, 0x1, !P0"}, "R4", {5}), 1U);
}

TEST(memory, reduces_as_hopper_names_it) {
  EXPECT_EQ(first_word({"REDG.E.ADD.STRONG.GPU [R2.64], R0", "LDG.E R4, [R2.64]"}, "R4", {5}), 5U + 31 * 16);
}

TEST(memory, names_instruction_lane_address_and_the_nearest_allocation_of_an_access_outside) {
  const std::string message =
      written_kernel({"S2R R0, SR_TID.X", "MOV R2, 0x10000", "MOV R3, RZ", "IMAD.WIDE.U32 R2, R0, 0x8, R2", "STG.E [R2.64], R0"}).fault();
  EXPECT_THAT(message, HasSubstr("'STG.E [R2.64], R0' at 0x0040, lane 16 of warp 0 of CTA 0 0 0: address 0x10080: it is outside of all "
                                 "allocations; the nearest allocation is 0x10000 to 0x10080, 0 bytes in front of it"));
}

TEST(memory, refuses_addresses_that_are_not_aligned_and_shared_memory_that_the_launch_does_not_have) {
  EXPECT_THAT(written_kernel({"MOV R2, 0x10002", "MOV R3, RZ", "LDG.E R4, [R2.64]"}).fault(),
              HasSubstr("address 0x10002: it is no multiple of the 4 bytes of the access"));
  EXPECT_THAT(written_kernel({"S2R R2, SR_LMEMHIOFF", "LDL R4, [R2]", "LDL R4, [R2+-0x4]"}).fault(),
              HasSubstr("'LDL R4, [R2+-0x4]' at 0x0020"));
  EXPECT_THAT(written_kernel({"MOV R2, 0x500", "LDL R4, [R2]"}).fault(), HasSubstr("address 0x500: it is outside of local memory"));
  EXPECT_THAT(written_kernel({"MOV R2, 0x500", "LDS R4, [R2]"}).shared(256).fault(),
              HasSubstr("address 0x500: it is outside of the 1280 bytes of shared memory that the launch has"));
}

TEST(memory, counts_what_was_touched) {
  const auto result = written_kernel({"MOV R2, 0x20000", "MOV R3, RZ", "LDG.E R4, [R2.64]", "STG.E [R2.64+0x40], R4"}).execute();
  EXPECT_EQ(result.memory.bytes_read(), 32U);
  EXPECT_EQ(result.memory.bytes_written(), 32U);
  EXPECT_EQ(result.counts.total(), 5U);
}

TEST(memory, says_which_constant_the_launch_does_not_give) {
  EXPECT_THAT(written_kernel({"MOV R2, c[0x3][0x10]"}).fault(), HasSubstr("the launch does not say what is in c[0x3][0x10]"));
}

}  // namespace tc::memory_test
