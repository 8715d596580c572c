// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/source_text.hpp>

#include "wrong_statement.hpp"

namespace tc::isa::tcgen05_parser_test {
namespace {

constexpr auto blackwell = architecture::sm_100;

/// The operation of a line, which must be of one kind.
template <typename Operation>
Operation parse(const std::string& text, opcode op) {
  const instruction i = parse_operation(text, blackwell);
  EXPECT_EQ(i.op, op) << text;
  EXPECT_EQ(unit_of(i.op), execution_unit::tensor_memory);
  EXPECT_NE(tcgen05_of(i), nullptr);
  return std::get<Operation>(std::get<tcgen05_operation>(*i.asynchronous));
}

TEST(Tcgen05Parser, ReadsAllocations) {
  const auto read = [](const char* text, opcode op) { return parse<tensor_allocation_operation>(text, op); };
  const auto alloc = read("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [0x404], 512", opcode::tcgen05_alloc);
  EXPECT_EQ(alloc.action, tensor_allocation::allocate);
  EXPECT_EQ(alloc.group, cta_group::two);
  EXPECT_EQ(alloc.destination, 0x404U);
  EXPECT_EQ(alloc.columns, 512U);
  const auto dealloc = read("tcgen05.dealloc.cta_group::1.sync.aligned.b32 0x80, 96", opcode::tcgen05_dealloc);
  EXPECT_EQ(dealloc.action, tensor_allocation::deallocate);
  EXPECT_EQ(dealloc.group, cta_group::one);
  EXPECT_EQ(dealloc.tensor_address, 0x80U);
  EXPECT_EQ(dealloc.columns, 96U);
  EXPECT_EQ(read("tcgen05.relinquish_alloc_permit.sync.aligned.cta_group::1", opcode::tcgen05_relinquish_alloc_permit).action,
            tensor_allocation::relinquish);
}

TEST(Tcgen05Parser, ReadsLoadsAndTheRegistersThatTheyWrite) {
  const std::string text = "@P1 tcgen05.ld.sync.aligned.16x256b.x2.pack::16b.b32 {R8, R9, R10, R11, R20, R21, R6, R7}, [0x200040]";
  const instruction i = parse_operation(text, blackwell);
  const auto& load = std::get<tensor_access_operation>(*tcgen05_of(i));
  EXPECT_TRUE(load.load);
  EXPECT_EQ(load.shape, tensor_access_shape::lanes16_bits256);
  EXPECT_EQ(load.repeat, 2U);
  EXPECT_TRUE(load.packed);
  EXPECT_EQ(load.address, 0x200040U);
  EXPECT_EQ(load.registers, (std::vector<std::uint8_t>{8, 9, 10, 11, 20, 21, 6, 7}));
  ASSERT_EQ(i.writes.size(), 3U) << "a run of consecutive registers is one";
  EXPECT_EQ(i.writes[0], (register_use{register_file::vector, 8, 4, no_slot, false}));
  EXPECT_EQ(i.writes[1], (register_use{register_file::vector, 20, 2, no_slot, false}));
  EXPECT_EQ(i.writes[2], (register_use{register_file::vector, 6, 2, no_slot, false}));
  ASSERT_EQ(i.reads.size(), 1U) << "the guard";
  EXPECT_EQ(i.reads[0].file, register_file::predicate);
  const auto halves = parse<tensor_access_operation>("tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {R8}, [0x0], 16", opcode::tcgen05_ld);
  EXPECT_EQ(halves.half_offset, 16U);
}

TEST(Tcgen05Parser, ReadsStoresAndTheRegistersThatTheyRead) {
  const instruction i = parse_operation("tcgen05.st.sync.aligned.16x32bx2.x4.unpack::16b.b32 [0x40], 0x20, {R4, R5, RZ, R7}", blackwell);
  const auto& store = std::get<tensor_access_operation>(*tcgen05_of(i));
  EXPECT_FALSE(store.load);
  EXPECT_EQ(store.shape, tensor_access_shape::lanes16_bits32x2);
  EXPECT_TRUE(store.packed);
  EXPECT_EQ(store.half_offset, 32U);
  EXPECT_EQ(store.registers, (std::vector<std::uint8_t>{4, 5, zero_register, 7}));
  EXPECT_TRUE(i.writes.empty());
  ASSERT_EQ(i.reads.size(), 2U) << "RZ is no register";
  EXPECT_EQ(i.reads[0], (register_use{register_file::vector, 4, 2, no_slot, false}));
  EXPECT_EQ(i.reads[1], (register_use{register_file::vector, 7, 1, no_slot, false}));
}

TEST(Tcgen05Parser, ReadsCopiesAndShifts) {
  const auto copy = parse<tensor_copy_operation>("tcgen05.cp.cta_group::2.64x128b.warpx2::01_23.b8x16.b6x16_p32 [0x40], 0x4000404000010400",
                                                 opcode::tcgen05_cp);
  EXPECT_EQ(copy.group, cta_group::two);
  EXPECT_EQ(copy.shape, tensor_copy_shape::rows64_bits128);
  EXPECT_EQ(copy.multicast, tensor_copy_multicast::warps_01_23);
  EXPECT_EQ(copy.decompression, tensor_copy_decompression::b6x16_p32);
  EXPECT_EQ(copy.address, 0x40U);
  EXPECT_EQ(copy.descriptor, 0x4000404000010400U);
  const auto refill = parse<tensor_copy_operation>("tcgen05.cp.4x256b.cta_group::1 [0x1f0000], 0x1", opcode::tcgen05_cp);
  EXPECT_EQ(refill.shape, tensor_copy_shape::rows4_bits256);
  EXPECT_EQ(refill.multicast, tensor_copy_multicast::none);
  EXPECT_EQ(refill.decompression, tensor_copy_decompression::none);
  const auto shift = parse<tensor_shift_operation>("tcgen05.shift.cta_group::2.down [0x600028]", opcode::tcgen05_shift);
  EXPECT_EQ(shift.group, cta_group::two);
  EXPECT_EQ(shift.address, 0x600028U);
}

TEST(Tcgen05Parser, ReadsMatrixInstructions) {
  const auto mma = parse<tensor_mma_operation>(
      "tcgen05.mma.cta_group::2.kind::tf32.ashift.collector::a::lastuse [0x10], [0x40], 0x4000404000010480, 0x10400910, "
      "{0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x80000000}, 0, 3",
      opcode::tcgen05_mma);
  EXPECT_EQ(mma.form.kind, mma_kind::tf32);
  EXPECT_EQ(mma.form.group, cta_group::two);
  EXPECT_FALSE(mma.form.sparse || mma.form.weight_stationary);
  EXPECT_EQ(mma.form.scales, scale_vector::none);
  EXPECT_TRUE(mma.shift_a);
  EXPECT_EQ(mma.use, collector_use::last_use);
  EXPECT_EQ(mma.d, 0x10U);
  EXPECT_TRUE(mma.a_in_tensor_memory);
  EXPECT_EQ(mma.a_address, 0x40U);
  EXPECT_EQ(mma.b_descriptor, 0x4000404000010480U);
  EXPECT_EQ(mma.descriptor, 0x10400910U);
  EXPECT_EQ(mma.disabled_lanes, (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 0x80000000}));
  EXPECT_FALSE(mma.enable_input_d);
  EXPECT_EQ(mma.scale_input_d, 3);
  const auto plain = parse<tensor_mma_operation>("tcgen05.mma.cta_group::1.kind::i8 [0], 0x400, 0x800, 0x4A8, 1, 7", opcode::tcgen05_mma);
  EXPECT_FALSE(plain.a_in_tensor_memory);
  EXPECT_EQ(plain.a_descriptor, 0x400U);
  EXPECT_EQ(plain.use, collector_use::discard);
  EXPECT_TRUE(plain.disabled_lanes.empty());
  EXPECT_TRUE(plain.enable_input_d);
  EXPECT_EQ(plain.scale_input_d, 0) << "which the assembler drops for integers";
}

TEST(Tcgen05Parser, ReadsSparseBlockScaledAndWeightStationaryInstructions) {
  const auto scaled = parse<tensor_mma_operation>(
      "tcgen05.mma.sp.cta_group::1.kind::mxf4nvf4.block_scale.block16 [0x10], 0x1, 0x2, [0x90], 0x3, [0x80], [0x84], 1",
      opcode::tcgen05_mma);
  EXPECT_TRUE(scaled.form.sparse);
  EXPECT_EQ(scaled.form.scales, scale_vector::x4);
  EXPECT_EQ(scaled.metadata, 0x90U);
  EXPECT_EQ(scaled.descriptor, 3U);
  EXPECT_EQ(scaled.scale_a, 0x80U);
  EXPECT_EQ(scaled.scale_b, 0x84U);
  EXPECT_EQ(parse<tensor_mma_operation>("tcgen05.mma.cta_group::1.kind::mxf4.block_scale [0], 1, 2, 3, [4], [5], 1", opcode::tcgen05_mma)
                .form.scales,
            scale_vector::x2)
      << "unless it is named";
  const auto stationary = parse<tensor_mma_operation>(
      "tcgen05.mma.ws.sp.cta_group::1.kind::f16.collector::b2::fill [0x10], [0x40], 0x2, [0x90], 0x3, 1, 0x0203028301020100",
      opcode::tcgen05_mma);
  EXPECT_TRUE(stationary.form.weight_stationary && stationary.form.sparse);
  EXPECT_EQ(stationary.collector, 2);
  EXPECT_EQ(stationary.use, collector_use::fill);
  EXPECT_EQ(stationary.zero_column_mask, 0x0203028301020100U);
}

TEST(Tcgen05Parser, ReadsCommitsWaitsAndFences) {
  const auto commit = parse<tensor_commit_operation>("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [0x10]",
                                                     opcode::tcgen05_commit);
  EXPECT_EQ(commit.barrier, 0x10U);
  EXPECT_FALSE(commit.cta_mask);
  const auto multicast = parse<tensor_commit_operation>(
      "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [0x10], 0x3", opcode::tcgen05_commit);
  EXPECT_EQ(multicast.group, cta_group::two);
  EXPECT_EQ(multicast.cta_mask, 3);
  EXPECT_TRUE(parse<tensor_wait_operation>("tcgen05.wait::ld.sync.aligned", opcode::tcgen05_wait_ld).loads);
  EXPECT_FALSE(parse<tensor_wait_operation>("tcgen05.wait::st.sync.aligned", opcode::tcgen05_wait_st).loads);
  EXPECT_TRUE(parse<tensor_fence_operation>("tcgen05.fence::before_thread_sync", opcode::tcgen05_fence_before).before_thread_sync);
  EXPECT_FALSE(parse<tensor_fence_operation>("tcgen05.fence::after_thread_sync", opcode::tcgen05_fence_after).before_thread_sync);
}

TEST(Tcgen05Parser, IsOfBlackwellOnly) {
  try {
    parse_operation("tcgen05.shift.cta_group::1.down [0x40]", architecture::sm_90);
    FAIL() << "was accepted";
  } catch (const syntax_error& error) {
    EXPECT_STREQ(error.what(), "tcgen05.shift does not exist on sm_90: sm_100 only");
    EXPECT_EQ(error.column(), 1U);
  }
}

class Tcgen05Mistake : public testing::TestWithParam<wrong_statement> {};

TEST_P(Tcgen05Mistake, IsReportedAtItsPlace) { expect_mistake(GetParam(), blackwell); }

const std::string ld = "tcgen05.ld.sync.aligned.", mma = "tcgen05.mma.cta_group::1.kind::", ws = "tcgen05.mma.ws.cta_group::1.kind::";
const std::string matrices = " [0], [0x40], 1, 2, ";

INSTANTIATE_TEST_SUITE_P(
    Names, Tcgen05Mistake,
    testing::Values(wrong_statement{"tcgen05.shift.down [0x40]", " [0x40]", "tcgen05.shift needs .cta_group::1 or .cta_group::2"},
                    wrong_statement{"tcgen05.shift.cta_group::3.down [0x40]", "cta_group",
                                    "expected .cta_group::1 or .cta_group::2, found .cta_group::3"},
                    wrong_statement{"tcgen05.shift.cta_group::1.up [0x40]", "up",
                                    "tcgen05.shift has no qualifier .up; it takes .cta_group::1 or"},
                    wrong_statement{"tcgen05.shift.cta_group::1.down.down [0x40]", "down [", "takes one of .down; it has .down already"},
                    wrong_statement{"tcgen05.wait::ld.sync", "", "tcgen05.wait::ld needs .aligned"},
                    wrong_statement{"tcgen05.fence::after_thread_sync.sync", "sync", "has no qualifier .sync; it takes none"},
                    wrong_statement{"tcgen05.wait::mma.sync.aligned", "tcgen05", "unknown opcode"}));

INSTANTIATE_TEST_SUITE_P(
    Allocation, Tcgen05Mistake,
    testing::Values(wrong_statement{"tcgen05.alloc.cta_group::1.sync.aligned.shared::cluster.b32 [0x400], 32", "shared",
                                    "expected .shared::cta, found"},
                    wrong_statement{"tcgen05.alloc.cta_group::1.sync.aligned.b32 [0x402], 32", "0x402", "must be a multiple of 4"},
                    wrong_statement{"tcgen05.alloc.cta_group::1.sync.aligned.b32 [0x400], 96", "96",
                                    "is 96; it must be a power of two from 32 to 512"},
                    wrong_statement{"tcgen05.alloc.cta_group::1.sync.aligned.b32 [0x400], 1024", "1024", "it must be from 32 to 512"},
                    wrong_statement{"tcgen05.dealloc.cta_group::1.sync.aligned.b32 0x0, 31", "31", "is 31; it must be a multiple of 32"},
                    wrong_statement{"tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned 1", "1", "unexpected '1'"}));

INSTANTIATE_TEST_SUITE_P(
    Access, Tcgen05Mistake,
    testing::Values(
        wrong_statement{ld + "16x128b.x128.b32 {R8}, [0x0]", "x128", ".16x128b has repetitions up to .x64, not .x128"},
        wrong_statement{ld + "32x32b.x3.b32 {R8}, [0x0]", "x3", "has no qualifier .x3"},
        wrong_statement{ld + "32x32b.x1.unpack::16b.b32 {R8}, [0x0]", "unpack", "has no qualifier .unpack::16b"},
        wrong_statement{ld + "32x32b.x2.b32 {R8}, [0x0]", "{R8}", "the operand of .32x32b.x2 must be a list of 2 registers, found 1"},
        wrong_statement{ld + "32x32b.x2.b32 {R8, R8}, [0x0]", "{R8", "writes R8 twice"},
        wrong_statement{ld + "32x32b.x1.b32 {RZ}, [0x0]", "RZ", "a list of vector registers"},
        wrong_statement{ld + "32x32b.x1.b32 {R8}, [0x0], 16", "16", "unexpected '16'; the form is tcgen05.ld.sync.aligned.32x32b.x1.b32"},
        wrong_statement{ld + "16x32bx2.x1.b32 {R8}, [0x0]", "", "the offset of the second half is missing"},
        wrong_statement{
            "tcgen05.st.sync.aligned.16x64b.x16.b32 [0], {R2, R4, R6, R8, R1, R3, R5, R7, R20, R22, R24, R26, R28, R30, R32, R34}", "{R2",
            "16 runs of consecutive ones; there can be 11"}));

INSTANTIATE_TEST_SUITE_P(
    Copies, Tcgen05Mistake,
    testing::Values(
        wrong_statement{"tcgen05.cp.cta_group::1.64x128b [0x40], 1", "64x128b", ".64x128b needs .warpx2::02_13 or .warpx2::01_23"},
        wrong_statement{"tcgen05.cp.cta_group::1.32x128b.warpx2::02_13 [0x40], 1", "warpx2", ".32x128b needs .warpx4"},
        wrong_statement{"tcgen05.cp.cta_group::1.4x256b.warpx4 [0x40], 1", "warpx4", ".4x256b takes no .warpx4"},
        wrong_statement{"tcgen05.cp.cta_group::1.4x256b.b8x16 [0x40], 1", "b8x16", "needs the format of the source"},
        wrong_statement{"tcgen05.cp.cta_group::1.4x256b.b4x16_p64 [0x40], 1", "b4x16", "needs the format of the destination"},
        wrong_statement{"tcgen05.cp.cta_group::1.4x256b.b4x16_p64.b8x16 [0x40], 1", "b4x16", ".b4x16_p64 comes behind .b8x16"}));

INSTANTIATE_TEST_SUITE_P(
    Matrices, Tcgen05Mistake,
    testing::Values(
        wrong_statement{mma + "f64" + matrices + "1", "kind", "expected .kind::f16, ::tf32"},
        wrong_statement{mma + "mxf4" + matrices + "[4], [5], 1", "kind", ".kind::mxf4 needs .block_scale"},
        wrong_statement{mma + "f16.block_scale" + matrices + "1", "block_scale", "not for .kind::f16"},
        wrong_statement{mma + "tf32.block32" + matrices + "1", "block32", "not for .kind::tf32"},
        wrong_statement{mma + "mxf8f6f4.block_scale.scale_vec::2X" + matrices + "[4], [5], 1", "scale_vec",
                        ".kind::mxf8f6f4 has .scale_vec::1X or .block32, not .scale_vec::2X"},
        wrong_statement{mma + "mxf4nvf4.block_scale" + matrices + "[4], [5], 1", "kind", ".kind::mxf4nvf4 needs .scale_vec::2X or"},
        wrong_statement{mma + "mxf4.block_scale.ashift" + matrices + "[4], [5], 1", "ashift", "not for .kind::mxf4"},
        wrong_statement{mma + "f16.ashift [0], 1, 1, 2, 1", "ashift", ".ashift needs A in tensor memory"},
        wrong_statement{mma + "f16.ashift.collector::a::use" + matrices + "1", "collector", ".collector::a::use cannot stand with .ashift"},
        wrong_statement{mma + "f16.collector::b0::use" + matrices + "1", "collector", "expected .collector::a::fill"},
        wrong_statement{mma + "f16" + matrices + "{0, 0, 0, 0, 0, 0, 0, 0}, 1", "{", "of .cta_group::1 are a list of 4 words, found 8"},
        wrong_statement{mma + "mxf4.block_scale" + matrices + "[4], [5], {0, 0, 0, 0}, 1", "{", ".kind::mxf4 writes all lanes of D"},
        wrong_statement{mma + "f16" + matrices + "1, 16", "16", "scale-input-d is 16; it must be from 0 to 15"},
        wrong_statement{mma + "f8f6f4" + matrices + "1, 3", "3", "scale-input-d is for .kind::f16 and ::tf32, not for .kind::f8f6f4"},
        wrong_statement{"tcgen05.mma.sp.cta_group::1.kind::i8 [0], 1, 2, [4], 3, {0, 0, 0, 0}, 1, 3", "3", "not for .kind::i8"},
        wrong_statement{mma + "f16 [0], [0x40], 1, [0x90], 2, 1", "[0x90]", "the instruction descriptor must be a number"},
        wrong_statement{"tcgen05.mma.sp.cta_group::1.kind::f16 [0], [0x40], 1, 2, 1", "2, 1",
                        "the address of the sparsity metadata must stand"},
        wrong_statement{mma + "f16 [0], [0x40], 1, 2", "", "enable-input-d is missing; the form is tcgen05.mma.cta_group::1.kind::f16 [d]"},
        wrong_statement{"tcgen05.mma.ws.cta_group::2.kind::f16" + matrices + "1", "cta_group", "is an instruction of one CTA"},
        wrong_statement{ws + "mxf4" + matrices + "1", "kind", "tcgen05.mma.ws has no block scales"},
        wrong_statement{ws + "f16.collector::a::fill" + matrices + "1", "collector", "expected .collector::b0 to ::b3"},
        wrong_statement{ws + "f16.ashift" + matrices + "1", "ashift", "tcgen05.mma.ws has no qualifier .ashift"},
        wrong_statement{ws + "f16" + matrices + "{0, 0, 0, 0}, 1", "{", "tcgen05.mma.ws writes all lanes of D"}));

INSTANTIATE_TEST_SUITE_P(
    Commits, Tcgen05Mistake,
    testing::Values(wrong_statement{"tcgen05.commit.cta_group::1.shared::cluster.b64 [0x10]", " [0x10]", "needs .mbarrier::arrive::one"},
                    wrong_statement{"tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [0x14]", "0x14", "must be a multiple of 8"},
                    wrong_statement{"tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [0x10], 3", "3", "unexpected '3'"},
                    wrong_statement{"tcgen05.commit.cta_group::1.mbarrier::arrive::one.multicast::cluster.b64 [0x10]", "",
                                    "the mask of CTAs is missing"}));

}  // namespace
}  // namespace tc::isa::tcgen05_parser_test
