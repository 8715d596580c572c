// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/kernels/gemm_plan.hpp>
#include <tc/kernels/gemm_problem.hpp>

#include "gemm_machines.hpp"

namespace gemm_plan_test {

using namespace tc;
using namespace tc::kernels;

namespace {

gemm_plan plan_of(const std::string& machine_name, const std::string& precision, unsigned size, const gemm_tiling& tiling = {}) {
  const config::machine machine = test::machine_of(machine_name);
  return make_gemm_plan({size, size, size, find_precision(precision)}, tiling, test::architecture_of(machine), machine);
}

std::string mnemonic(const std::string& machine, const std::string& precision, unsigned size) {
  return plan_of(machine, precision, size).step.instructions.front().mnemonic;
}

gemm_tiling tile(unsigned m, unsigned n, unsigned k, unsigned warps_m = 2, unsigned warps_n = 2) { return {m, n, k, warps_m, warps_n}; }

/// The plan must be refused, with all of `words` in the message.
void expect_refusal(const std::string& machine, const std::string& precision, unsigned size, const gemm_tiling& tiling,
                    const std::vector<std::string>& words) {
  try {
    plan_of(machine, precision, size, tiling);
    FAIL() << "not refused; expected: " << words.front();
  } catch (const gemm_error& error) {
    for (const std::string& word : words) EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

}  // namespace

TEST(gemm_plan, takes_the_largest_instruction_that_the_architecture_has) {
  EXPECT_EQ(mnemonic("turing", "mixed", 128), "HMMA.1688.F32");
  EXPECT_EQ(mnemonic("turing", "b1", 128), "BMMA.88128.XOR.POPC");
  EXPECT_EQ(mnemonic("ampere", "f16", 128), "HMMA.16816.F16");
  EXPECT_EQ(mnemonic("ampere", "s4", 128), "IMMA.16864.S4.S4");
  EXPECT_EQ(mnemonic("ampere", "tf32", 128), "HMMA.1688.F32.TF32");
  EXPECT_EQ(mnemonic("hopper", "u8", 128), "IMMA.16832.U8.U8");
  EXPECT_EQ(mnemonic("hopper", "b1.and", 256), "BMMA.168256.AND.POPC");
}

TEST(gemm_plan, takes_a_smaller_instruction_where_the_larger_one_does_not_divide_k) {
  EXPECT_EQ(mnemonic("hopper", "b1.and", 128), "BMMA.168128.AND.POPC");
  EXPECT_EQ(plan_of("ampere", "mixed", 64, tile(64, 64, 8)).step.instructions.front().mnemonic, "HMMA.1688.F32");
}

TEST(gemm_plan, on_volta_a_step_is_two_sets_of_four_or_two_instructions) {
  EXPECT_EQ(plan_of("volta", "mixed", 64).step.instructions.size(), 8u);
  const gemm_plan f16 = plan_of("volta", "f16", 64);
  ASSERT_EQ(f16.step.instructions.size(), 4u);
  EXPECT_EQ(f16.step.instructions.back().mnemonic, "HMMA.884.F16.F16.STEP1");
  EXPECT_FALSE(f16.step.loads_matrices) << "LDSM came with Turing";
}

TEST(gemm_plan, rows_in_shared_memory_are_an_odd_number_of_16_bytes_apart) {
  EXPECT_EQ(plan_of("ampere", "mixed", 64, tile(64, 64, 32)).pitch_bytes, 64u + 16);
  EXPECT_EQ(plan_of("ampere", "mixed", 64, tile(64, 64, 8)).pitch_bytes, 16u);
}

TEST(gemm_plan, sizes_that_do_not_divide_are_refused_with_ones_that_do) {
  expect_refusal("hopper", "mixed", 100, {}, {"k = 100", "multiple of 8", "104 would be"});
  expect_refusal("hopper", "mixed", 64, tile(48, 64, 32), {"m of the tile = 48", "multiple of 32", "32 and 64 would be"});
  expect_refusal("hopper", "mixed", 96, tile(64, 64, 32), {"m = 96", "multiple of 64", "64 and 128 would be"});
  expect_refusal("hopper", "mixed", 256, tile(64, 64, 24), {"k = 256", "multiple of 24"});
  expect_refusal("hopper", "mixed", 48, tile(48, 48, 24, 1, 1), {"48 bytes", "powers of two"});
  expect_refusal("hopper", "mixed", 192, tile(64, 64, 32, 3, 2), {"3 warps along m", "powers of two"});
}

TEST(gemm_plan, what_the_machine_does_not_multiply_is_refused_with_what_it_does) {
  expect_refusal("hopper", "s4", 128, {}, {"sm_90", "s4", "f16, mixed, bf16, tf32, s8, u8, b1.and"});
  expect_refusal("turing", "bf16", 128, {}, {"sm_75", "f16, mixed, s8, u8, s4, u4, b1"});
  expect_refusal("volta", "s8", 128, {}, {"sm_70", "it has f16, mixed"});
  EXPECT_THROW(find_precision("f12"), gemm_error);
}

TEST(gemm_plan, precisions_have_the_names_of_other_tools_too) {
  EXPECT_EQ(find_precision("fp16").name, "f16");
  EXPECT_EQ(find_precision("INT8").name, "s8");
  EXPECT_EQ(find_precision("fp8.fp16").name, "e4m3.f16");
}

TEST(gemm_plan, what_does_not_fit_is_refused_with_what_there_is) {
  expect_refusal("turing", "mixed", 512, tile(128, 128, 128), {"139264 bytes of shared memory", "65536", "one buffer"});
  expect_refusal("hopper", "mixed", 256, tile(256, 256, 16), {"512 of them for its part of D", "255", "more warps"});
  expect_refusal("turing", "mixed", 512, tile(256, 256, 32, 8, 8), {"64 warps", "32 are possible"});
  expect_refusal("turing", "s4", 32, tile(16, 16, 32, 2, 2), {"4 to 16 bytes", "128 threads"});
}

}  // namespace gemm_plan_test
