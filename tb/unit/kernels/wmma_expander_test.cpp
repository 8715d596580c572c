// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/kernels/wmma_expander.hpp>

namespace tc::kernels::test::wmma_expander_test {
namespace {

using isa::architecture;
using texts = std::vector<std::string>;

trace::kernel_header kernel_of(architecture arch) {
  trace::kernel_header header;
  header.arch = arch;
  header.registers = 64;
  return header;
}

trace::expansion expanded(const std::string& line, architecture arch) { return wmma_expander().expand(line, kernel_of(arch)); }

texts codes_of(const trace::expansion& expansion) {
  texts codes;
  for (const trace::expanded_instruction& each : expansion.instructions) codes.push_back(each.code);
  return codes;
}

texts codes_of(const std::string& line, architecture arch) { return codes_of(expanded(line, arch)); }

/// The registers and order of Jia et al., arXiv 1804.06826, listing 4.1: a set takes a pair of A and of B, a step a pair of the sums.
TEST(wmma_expansion, on_volta_is_sets_and_steps) {
  const texts f32 = codes_of(
      "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {R8, R9, R10, R11, R12, R13, R14, R15}, {R16, R17, R18, R19, R20, R21, R22, R23}, "
      "{R24, R25, R26, R27, R28, R29, R30, R31}, {RZ, RZ, RZ, RZ, RZ, RZ, RZ, RZ}",
      architecture::sm_70);
  ASSERT_EQ(f32.size(), 16U);
  EXPECT_EQ(f32[0], "HMMA.884.F32.F32.STEP0 R8, R16.reuse.ROW, R24.reuse.COL, RZ");
  EXPECT_EQ(f32[3], "HMMA.884.F32.F32.STEP3 R14, R16.ROW, R24.COL, RZ");
  EXPECT_EQ(f32[4], "HMMA.884.F32.F32.STEP0 R8, R18.reuse.ROW, R26.reuse.COL, R8");
  EXPECT_EQ(f32[15], "HMMA.884.F32.F32.STEP3 R14, R22.ROW, R30.COL, R14");
  const texts f16 = codes_of(
      "wmma.mma.sync.aligned.col.row.m32n8k16.f16.f16 {R8, R9, R10, R11}, {R16, R17, R18, R19, R20, R21, R22, R23}, "
      "{R24, R25, R26, R27, R28, R29, R30, R31}, {R8, R9, R10, R11}",
      architecture::sm_70);
  ASSERT_EQ(f16.size(), 8U);
  EXPECT_EQ(f16[3], "HMMA.884.F16.F16.STEP1 R10, R18.COL, R26.ROW, R10");
}

TEST(wmma_expansion, on_volta_loads_as_widely_as_the_order_in_memory_allows) {
  const std::string registers = "{R0, R1, R2, R3, R4, R5, R6, R7}";
  const auto by_rows = expanded("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " + registers + ", [0x10000], 16", architecture::sm_70);
  EXPECT_EQ(codes_of(by_rows), (texts{"LD.E.128.SYS R0, [RZ]", "LD.E.128.SYS R4, [RZ]"}));
  EXPECT_EQ(by_rows.instructions[1].addresses[17], 0x10000U + 32 * 5 + 16);  // row 5, k 8
  const auto by_columns =
      expanded("wmma.load.a.sync.aligned.col.m16n16k16.global.f16 " + registers + ", [0x10000], 16", architecture::sm_70);
  EXPECT_EQ(codes_of(by_columns), (texts{"LD.E.64.SYS R0, [RZ]", "LD.E.64.SYS R2, [RZ]", "LD.E.64.SYS R4, [RZ]", "LD.E.64.SYS R6, [RZ]"}));
  EXPECT_EQ(by_columns.instructions[1].addresses[19], 0x10000U + 32 * 7 + 2 * 4);  // k 7, rows 4 to 7
  EXPECT_EQ(codes_of("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [0x10000], " + registers + ", 16", architecture::sm_70)[0],
            "ST.E.64.SYS [RZ], R0");
}

/// Every element of every fragment of Volta comes from its place in memory: the run of HMMA.884 needs nothing else.
TEST(wmma_expansion, on_volta_takes_every_element_from_its_place) {
  const texts halves = codes_of("wmma.load.c.sync.aligned.col.m16n16k16.global.f16 {R0, R1, R2, R3}, [0x10000], 16", architecture::sm_70);
  EXPECT_EQ(halves,
            (texts{"LD.E.U16.SYS R0, [RZ]", "LD.E.U16.SYS R64, [RZ]", "LD.E.U16.SYS R1, [RZ]", "LD.E.U16.SYS R65, [RZ]",
                   "LD.E.U16.SYS R2, [RZ]", "LD.E.U16.SYS R66, [RZ]", "LD.E.U16.SYS R3, [RZ]", "LD.E.U16.SYS R67, [RZ]",
                   "PRMT R0, R0, 0x5410, R64", "PRMT R1, R1, 0x5410, R65", "PRMT R2, R2, 0x5410, R66", "PRMT R3, R3, 0x5410, R67"}));
}

/// As nvcc compiles it: both halves of n, then the other half of k.
TEST(wmma_expansion, on_turing_keeps_a_for_the_next_set) {
  const texts sets = codes_of(
      "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {R8, R9, R10, R11, R12, R13, R14, R15}, {R16, R17, R18, R19, R16, R17, R18, R19}, "
      "{R24, R25, R26, R27, R24, R25, R26, R27}, {R8, R9, R10, R11, R12, R13, R14, R15}",
      architecture::sm_75);
  EXPECT_EQ(sets, (texts{"HMMA.1688.F32 R8, R16.reuse, R24, R8", "HMMA.1688.F32 R12, R16, R26, R12", "HMMA.1688.F32 R8, R18.reuse, R25, R8",
                         "HMMA.1688.F32 R12, R18, R27, R12"}));
}

TEST(wmma_expansion, names_a_copy_only_once) {
  EXPECT_EQ(
      codes_of("wmma.load.b.sync.aligned.col.m16n16k16.global.f16 {R0, R1, R2, R3, R0, R1, R2, R3}, [0x10000], 16", architecture::sm_80)
          .size(),
      4U);
}

TEST(wmma_expansion, of_f64_is_one_instruction) {
  EXPECT_EQ(codes_of("wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 {R8, R9, R10, R11}, {R0, R1}, {R2, R3}, {R8, R9, R10, R11}",
                     architecture::sm_80),
            (texts{"DMMA.884 R8, R0, R2, R8"}));
  EXPECT_EQ(codes_of("wmma.load.c.sync.aligned.row.m8n8k4.shared.f64 {R8, R9, R10, R11}, [0x400]", architecture::sm_80),
            (texts{"LDS.128 R8, [RZ]"}));
}

/// Scratch registers lie above those that the kernel declares.
TEST(wmma_expansion, on_hopper_does_without_the_exclusive_or) {
  const auto expansion =
      expanded("wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {R2, R3}, {R0}, {R1}, {R2, R3}", architecture::sm_90);
  EXPECT_EQ(expansion.first_scratch, 64U);
  EXPECT_EQ(expansion.scratch_count, 6U);
  EXPECT_EQ(codes_of(expansion)[2], "BMMA.88128.AND.POPC R64, R0.ROW, R69.COL, RZ");
}

}  // namespace
}  // namespace tc::kernels::test::wmma_expander_test
