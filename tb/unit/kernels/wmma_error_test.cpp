// SPDX-License-Identifier: Apache-2.0
#include <ostream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <tc/kernels/wmma_expander.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::kernels::test::wmma_error_test {
namespace {

/// A line of PTX that is wrong, where, and what the message says.
struct mistake {
  const char* arch;
  const char* line;
  std::size_t column;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const mistake& test) { return out << test.line; }

constexpr const char* registers_8 = "{R0, R1, R2, R3, R4, R5, R6, R7}";

std::string trace_with(const std::string& arch, const std::string& lines, unsigned threads = 32) {
  return "tcsim-trace 1\narch " + arch + "\nkernel wmma\ngrid 1 1 1\nblock " + std::to_string(threads) +
         " 1 1\nregisters 64\nshared 4096\nmemory 0x10000 4096 zero\ncta 0 0 0\nwarp 0\n" + lines + "\n/*0100*/ EXIT\n";
}
constexpr std::uint64_t first_line = 11;

class wmma_mistake : public testing::TestWithParam<mistake> {};

TEST_P(wmma_mistake, is_reported_at_its_place) {
  const mistake& test = GetParam();
  std::string line = test.line;
  for (auto place = line.find("{8}"); place != std::string::npos; place = line.find("{8}")) line.replace(place, 3, registers_8);
  std::istringstream text(trace_with(test.arch, line));
  try {
    read_trace(text, "mistake");
    FAIL() << "no error";
  } catch (const trace::trace_error& error) {
    EXPECT_EQ(error.line(), first_line);
    EXPECT_EQ(error.column(), test.column) << error.what();
    EXPECT_NE(std::string(error.what()).find(test.message), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    transfers, wmma_mistake,
    testing::Values(
        mistake{"sm_75", "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {8}, [0x10000], 16 mask 0000ffff", 104, "all 32 lanes"},
        mistake{"sm_75", "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {8}, [0x10010], 16", 85, "a multiple of 32"},
        mistake{"sm_75", "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {8}, [0x10000], 24", 96, "a multiple of 16 elements"},
        mistake{"sm_75", "wmma.load.b.sync.aligned.row.m32n8k16.global.f16 {8}, [0x10000]", 84, "a multiple of 16 elements"},
        mistake{"sm_75", "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {R0, R1}, [0x10000], 16", 51, "takes 8 registers, found 2"},
        mistake{"sm_75", "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {8}, [R2], 16", 86, "is a number"},
        mistake{"sm_75", "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {8}, [0x8000000000000000], 16", 86, "beyond"},
        mistake{"sm_75", "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {8}", 51, "{registers}, [address], stride"},
        mistake{"sm_75", "wmma.load.a.sync.aligned.row.m16n16k16.global.bf16 {8}, [0x10000], 16", 30, "sm_80 and later"},
        mistake{"sm_70", "wmma.load.a.sync.aligned.row.m16n16k16.global.s8 {R0, R1}, [0x10000], 16", 30, "sm_75 and later"},
        mistake{"sm_75", "wmma.load.a.sync.aligned.row.m16n8k16.global.f16 {8}, [0x10000], 16", 30, "it has m16n16k16, m32n8k16"},
        mistake{"sm_75", "wmma.load.a.sync.aligned.row.m16n16k16.global.s32 {8}, [0x10000], 16", 47, "they may be f16, s8, u8"},
        mistake{"sm_75", "wmma.load.a.sync.aligned.col.m8n8k32.global.s4 {R0}, [0x10000], 32", 30, "is always .row"},
        mistake{"sm_75", "wmma.load.a.aligned.row.m16n16k16.global.f16 {8}, [0x10000], 16", 13, "expected 'sync'"},
        mistake{"sm_75", "wmma.load.d.sync.aligned.row.m16n16k16.global.f16 {8}, [0x10000], 16", 11, "expected 'a' or 'b' or 'c'"},
        mistake{"sm_75", "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {8}, [0x1000], 16", 1, "of shared memory"},
        mistake{"sm_75", "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 {8}, [0x10000], 16", 86, "expected a list of registers"},
        mistake{"sm_75", "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {8}, [0x10000], 16 @ 0x10000", 101, "which names its own"}));

INSTANTIATE_TEST_SUITE_P(
    products, wmma_mistake,
    testing::Values(
        mistake{"sm_75", "wmma.mma.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {R0, R1}, {R4}, {R5}, {R0, R1}", 1,
                ".xor.popc or .and.popc"},
        mistake{"sm_75", "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16 {R16, R17, R18, R19}, {8}, {8}, {R16, R17, R18}", 139,
                "takes 4 registers, found 3"},
        mistake{"sm_75", "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 {8}, {8}, {8}, {8}", 31, "sm_80 and later"},
        mistake{"sm_75", "wmma.mma.sync.aligned.m16n16k16.f16.f16 {8}, {8}, {8}, {8}", 1, "such as .row.col"},
        mistake{"sm_75", "wmma.mma.and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {R2, R3}, {R0}, {R1}, {R2, R3}", 40,
                "sm_80 and later"},
        mistake{"sm_75", "wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {R2, R3}, {R2}, {R1}, {R4, R5}", 1, "must not hold A or B"},
        mistake{"sm_75", "wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {R3, R4}, {R0}, {R1}, {R6, R7}", 1, "a multiple of 2"},
        mistake{"sm_75", "wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {R62, R63}, {R64}, {R1}, {R6, R7}", 66, "has 64 registers"}));

/// Without a number of registers the scratch registers are R216 and those above.
TEST(wmma_mistakes, of_traces_that_use_scratch_registers) {
  const std::string product = "wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {R2, R3}, {R0}, {R1}, {R2, R3}";
  for (const std::string& lines : {"/*0000*/ MOV R216, RZ\n" + product, product + "\n/*0100*/ MOV R220, RZ"}) {
    std::string text = trace_with("sm_90", lines);
    const std::string registers = "registers 64\n";
    text.erase(text.find(registers), registers.size());
    std::istringstream in(text);
    EXPECT_THROW(read_trace(in, "scratch"), trace::trace_error) << lines;
  }
}

TEST(wmma_mistakes, of_warps_that_are_not_full) {
  std::istringstream text(trace_with("sm_75", "wmma.load.a.sync.aligned.row.m8n8k32.global.s4 {R0}, [0x10000], 32", 16));
  EXPECT_THROW(read_trace(text, "half a warp"), trace::trace_error);
}

}  // namespace
}  // namespace tc::kernels::test::wmma_error_test
