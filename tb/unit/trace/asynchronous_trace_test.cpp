// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <tc/trace/trace_error.hpp>

#include "trace_text.hpp"

namespace tc::trace::test::asynchronous_trace_test {
namespace {

const std::string tiled = "tensor-map 0x40000 tiled f16 base 0x10000 sizes 128 64 strides 256 box 64 8 swizzle 128B";

/// A kernel of a warpgroup and a warp, 4096 bytes of shared memory, two tensor maps, and these lines in one of its warps. They begin in
/// line 11.
std::string with_lines(const std::vector<std::string>& lines, unsigned warp = 0, const std::string& arch = "sm_90") {
  std::string text = "tcsim-trace 1\narch " + arch + "\nkernel example\ngrid 1 1 1\nblock 160 1 1\nregisters 64\nshared 4096\n" + tiled +
                     "\ntensor-map 0x40040 im2col f16 base 0x20000 sizes 32 16 16 4 strides 64 1024 16384 lower -1 -1 upper -1 -1 channels "
                     "32 pixels 16\n" +
                     "cta 0 0 0\n";
  text += "warp " + std::to_string(warp) + "\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

const std::string product = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R0, R1, R2, R3}, 0x1000080000, 0x1000080080, 1";
const std::string load = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes ";

TEST(AsynchronousTrace, TakesInstructionsOfTheAsynchronousUnits) {
  const trace t = read_text(with_lines({
      "mbarrier.init.shared::cta.b64 [0x10], 128 mask 00000001",
      "fence.proxy.async.shared::cta",
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [0x10], 1024 mask 00000001",
      load + "[0x400], [0x40000, {0, 0}], [0x10] mask 00000001",
      "mbarrier.try_wait.parity.shared::cta.b64 [0x10], 0",
      "/*0100*/ [B------:R-:W-:-:S02] @P0 wgmma.fence.sync.aligned mask 00000000",
      product,
      "wgmma.commit_group.sync.aligned",
      product,
      "wgmma.wait_group.sync.aligned 0",
      "/*0200*/ EXIT",
  }));
  const std::vector<step> steps = steps_of(t);
  ASSERT_EQ(steps.size(), 11U);
  EXPECT_EQ(steps[0].pc, 0U);
  EXPECT_EQ(steps[0].mask, 1U);
  EXPECT_EQ(steps[1].pc, 16U);
  EXPECT_EQ(steps[1].mask, all_lanes);
  EXPECT_EQ(steps[5].mask, 0U);
  EXPECT_TRUE(steps[5].code->control.has_value());
  EXPECT_EQ(steps[6].code, steps[8].code);
  EXPECT_EQ(std::get<isa::wgmma_operation>(*steps[6].code->asynchronous).mma.n, 8);
  EXPECT_EQ(std::get<isa::bulk_copy_operation>(*steps[3].code->asynchronous).map, 0x40000U);
}

TEST(AsynchronousTrace, KeepsTheTensorMapsOfTheHeader) {
  const trace t = read_text(with_lines({"/*0000*/ EXIT"}));
  ASSERT_EQ(t.header().tensor_maps.size(), 2U);
  const isa::tensor_map* const tile = t.header().find_tensor_map(0x40000);
  ASSERT_NE(tile, nullptr);
  EXPECT_FALSE(tile->im2col);
  EXPECT_EQ(tile->element_bytes, 2U);
  EXPECT_EQ(tile->rank, 2U);
  EXPECT_EQ(tile->base, 0x10000U);
  EXPECT_EQ(tile->sizes[1], 64U);
  EXPECT_EQ(tile->strides_bytes[0], 2U);
  EXPECT_EQ(tile->strides_bytes[1], 256U);
  EXPECT_EQ(tile->box[0], 64U);
  EXPECT_EQ(tile->element_strides[1], 1U);
  EXPECT_EQ(tile->swizzle, isa::swizzle_mode::bytes_128);
  EXPECT_EQ(isa::shared_bytes(*tile), 1024U);
  const isa::tensor_map* const window = t.header().find_tensor_map(0x40040);
  ASSERT_NE(window, nullptr);
  EXPECT_TRUE(window->im2col);
  EXPECT_EQ(window->rank, 4U);
  EXPECT_EQ(window->strides_bytes[3], 16384U);
  EXPECT_EQ(window->lower_corner, (std::array<std::int32_t, 3>{-1, -1, 0}));
  EXPECT_EQ(window->channels, 32U);
  EXPECT_EQ(window->pixels, 16U);
  EXPECT_EQ(t.header().find_tensor_map(0x40080), nullptr);
  const std::string narrow =
      "tensor-map 0x0 tiled f32 fill nan element-strides 1 2 swizzle 64B interleave none box 4 5 strides 16 sizes 4 9 base 16";
  const trace other = read_text(trace_text().replace(2, "arch sm_90").insert(8, narrow));
  EXPECT_TRUE(other.header().tensor_maps[0].map.fill_nan);
  EXPECT_EQ(other.header().tensor_maps[0].map.element_strides[1], 2U);
  EXPECT_EQ(isa::shared_bytes(other.header().tensor_maps[0].map) % 64, 0U) << "rows of 16 bytes lie 64 bytes apart";
}

/// A text with one mistake: the line and the part of it at which it is reported, and words of the message.
struct mistake {
  std::string text;
  std::uint64_t line;
  const char* at;
  const char* words;
};

std::ostream& operator<<(std::ostream& out, const mistake& m) { return out << m.words; }

class asynchronous_mistakes : public testing::TestWithParam<mistake> {};

std::string line_of(const std::string& text, std::uint64_t number) {
  std::size_t begin = 0;
  for (std::uint64_t line = 1; line < number; ++line) begin = text.find('\n', begin) + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

TEST_P(asynchronous_mistakes, are_reported_at_their_place) {
  const mistake& m = GetParam();
  const std::string line = line_of(m.text, m.line);
  const std::size_t at = *m.at == '\0' ? line.size() : line.rfind(m.at);
  try {
    read_text(m.text);
    FAIL() << "the trace was accepted";
  } catch (const trace_error& error) {
    EXPECT_EQ(error.line(), m.line) << error.what();
    EXPECT_EQ(error.column(), at + 1) << error.what();
    EXPECT_NE(std::string(error.what()).find(m.words), std::string::npos) << error.what();
  }
}

mistake in_line(const std::string& line, const char* at, const char* words) { return {with_lines({line, "/*0010*/ EXIT"}), 12, at, words}; }

INSTANTIATE_TEST_SUITE_P(
    lanes, asynchronous_mistakes,
    testing::Values(in_line(product + " mask 00000001", "00000001", "all 32 lanes must execute"),
                    in_line("wgmma.fence.sync.aligned mask 7fffffff", "7fffffff", "all 32 lanes must execute"),
                    mistake{with_lines({product, "/*0010*/ EXIT"}, 4), 12, "wgmma", "warps 4 to 7, is not complete: the block has 160"},
                    in_line("mbarrier.init.shared::cta.b64 [0x10], 1", "mbarrier", "one lane must execute this instruction"),
                    in_line("mbarrier.inval.shared::cta.b64 [0x10] mask 00000003", "00000003", "these are 00000003"),
                    in_line(load + "[0x400], [0x40000, {0, 0}], [0x10]", "cp.async", "one lane must execute"),
                    in_line("fence.proxy.async @ 0x10", "0x10", "accesses no memory")));

INSTANTIATE_TEST_SUITE_P(
    operands, asynchronous_mistakes,
    testing::Values(
        in_line("wgmma.wait_group.sync.aligned 9", "9", "from 0 to 7"), in_line("wgmma.mma.sync 9", "wgmma", "unknown opcode"),
        in_line("mbarrier.arrive.shared::cta.b64 _, [0x1000]", "mbarrier", "the mbarrier reaches from 0x1000 up to 0x1008"),
        in_line("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R0, R1, R2, R64}, 0x40, 0x80, 1", "R64", "R0 to R63"),
        in_line("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R0, R1, R2, R3}, {R4, R5, R6, R99}, 0x80, 1", "R99", "uses R99"),
        in_line("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R0, R1, R2, R3}, 0x1000080000, 0x10000800f8, 1", "wgmma",
                "matrix B reaches from 0xf80 up to 0x1080"),
        in_line("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R0, R1, R2, R3}, 0x4000004100010000, 0x80, 1", "wgmma",
                "matrix A reaches"),
        in_line("cp.async.bulk.global.shared::cta.bulk_group [0x0], [0xff0], 32 mask 00000001", "cp.async", "from 0xff0 up to 0x1010"),
        in_line("cp.async.bulk.global.shared::cta.bulk_group [0x1fffffffffffff0], [0x0], 32 mask 00000001", "cp.async",
                "part of global memory"),
        in_line("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [0], [0], 32, [0xfff8]", "cp.async", "the mbarrier reaches"),
        in_line(load + "[0xc80], [0x40000, {0, 0}], [0x10] mask 00000001", "cp.async", "from 0xc80 up to 0x1080"),
        in_line(load + "[0x400], [0x40080, {0, 0}], [0x10] mask 00000001", "cp.async", "no line 'tensor-map 0x40080 ...'"),
        in_line("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [0x40000, {0}], [0] mask 00000001", "cp.async", "has 2"),
        in_line("cp.async.bulk.tensor.4d.global.shared::cta.bulk_group [0x40040, {0, 0, 0, 0}], [0] mask 00000001", "cp.async",
                "is for copies that are .im2col")));

mistake in_line_of_blackwell(const std::string& line, const char* at, const char* words) {
  return {with_lines({line, "/*0010*/ EXIT"}, 0, "sm_100"), 12, at, words};
}

const std::string matrix_instruction = "tcgen05.mma.cta_group::1.kind::f16 [0x0], 0x400, 0x800, 0x08400010, 1";

INSTANTIATE_TEST_SUITE_P(
    tensor_memory, asynchronous_mistakes,
    testing::Values(
        in_line("tcgen05.wait::ld.sync.aligned", "tcgen05", "does not exist on sm_90"),
        in_line_of_blackwell("tcgen05.alloc.cta_group::1.sync.aligned.b32 [0x1000], 32", "tcgen05", "from 0x1000 up to 0x1004"),
        in_line_of_blackwell("tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [0x1000] mask 00000001", "tcgen05",
                             "the mbarrier reaches from 0x1000"),
        in_line_of_blackwell("tcgen05.ld.sync.aligned.32x32b.x2.b32 {R63, R64}, [0x0]", "R63", "uses R64; the kernel has 64 registers"),
        in_line_of_blackwell("tcgen05.alloc.cta_group::1.sync.aligned.b32 [0x400], 32 mask 00000001", "00000001", "all 32 lanes must"),
        in_line_of_blackwell("tcgen05.st.sync.aligned.32x32b.x1.b32 [0x0], {R6} mask 0000ffff", "0000ffff", "all 32 lanes must"),
        in_line_of_blackwell("tcgen05.wait::st.sync.aligned mask 00000001", "00000001", "all 32 lanes must"),
        in_line_of_blackwell(matrix_instruction, "tcgen05", "one lane must execute this instruction"),
        in_line_of_blackwell("tcgen05.cp.cta_group::1.4x256b [0x0], 0x400 mask 00000003", "00000003", "one lane must execute"),
        in_line_of_blackwell("tcgen05.shift.cta_group::1.down [0x0]", "tcgen05", "one lane must execute"),
        in_line_of_blackwell("tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [0x8]", "tcgen05", "one lane must execute")));

TEST(AsynchronousTrace, TakesInstructionsOnTensorMemory) {
  const trace t =
      read_text(with_lines({"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [0xffc], 32", matrix_instruction + " mask 00000001",
                            "tcgen05.fence::before_thread_sync", "tcgen05.ld.sync.aligned.32x32b.x1.b32 {R6}, [0x0]", "/*0200*/ EXIT"},
                           0, "sm_100"));
  const std::vector<step> steps = steps_of(t);
  ASSERT_EQ(steps.size(), 5U);
  EXPECT_TRUE(std::holds_alternative<isa::tensor_mma_operation>(*isa::tcgen05_of(*steps[1].code)));
  EXPECT_EQ(t.code_line(1), 13U);
}

/// The header with a line `tensor-map 0x80 ...`.
mistake in_map(const std::string& rest, const char* at, const char* words) {
  return {trace_text().replace(2, "arch sm_90").insert(8, "tensor-map 0x80" + rest).str(), 8, at, words};
}

const std::string tile = " tiled f16 base 0x100 sizes 64 64 strides 128 box 64 8 ";
const std::string window = " im2col f16 base 0 sizes 8 9 9 9 strides 16 144 1296 lower 0 0 upper 0 0 channels 8 pixels 9 ";

INSTANTIATE_TEST_SUITE_P(
    tensor_maps, asynchronous_mistakes,
    testing::Values(
        mistake{trace_text().insert(8, "tensor-map 0x20" + tile).str(), 8, "0x20", "multiple of 64"},
        mistake{trace_text().insert(8, "tensor-map 0" + tile).insert(8, "tensor-map 0" + tile).str(), 9, "0 tiled", "given twice"},
        in_map("", "", "kind of tensor map is missing"),
        in_map(" wide f16", "wide", "unknown 'wide'; the kind of tensor map is tiled, im2col"),
        in_map(" tiled", "", "element type is missing"), in_map(" tiled f8", "f8", "known are u8, u16"),
        in_map(" tiled f16 base 0x100 sizes 64 64 strides 128", "", "'box' and its numbers are missing"),
        in_map(tile + "pixels 9", "pixels", "unexpected 'pixels'; the line may hold base, sizes, strides, box, element-strides"),
        in_map(tile + "box 3 3", "box 3", "'box' is given twice"),
        in_map(tile + "swizzle 96B", "96B", "the swizzle is none, 32B, 64B, 128B"),
        in_map(tile + "interleave 16B", "16B", "the interleaving is none"), in_map(tile + "fill one", "one", "is zero, nan"),
        in_map(" tiled u16 base 0 sizes 64 box 8 fill nan", "fill", "floating-point"),
        in_map(" tiled f16 base 0x108 sizes 64 box 64", "0x108", "'base' holds 0x108; it must be a multiple of 16"),
        in_map(" tiled f16 base 0 sizes strides box 64", "sizes", "must have 1 to 5"),
        in_map(" tiled f16 base 0 sizes 0 box 64", "0 box", "from 1 to 4294967295"),
        in_map(" tiled f16 base 0 sizes 8 8 strides 24 box 8 8", "24", "multiple of 16"),
        in_map(" tiled f16 base 0 sizes 8 8 strides 16 16 box 8 8", "strides", "'strides' has 2 numbers; it must have 1"),
        in_map(" tiled f16 base 0x1ffffffffffff00 sizes 256 box 8", "base", "the tensor must end at or below"),
        in_map(" tiled f16 base 0 sizes 8 1000000 strides 0xfffffffff0 box 8 8", "base", "the tensor must end at or below"),
        in_map(" tiled f16 base 0 sizes 8 8 strides 16 box 8", "box", "'box' has 1 numbers; it must have 2"),
        in_map(" tiled f16 base 0 sizes 8 8 strides 16 box 8 257", "257", "from 1 to 256"),
        in_map(" tiled f16 base 0 sizes 8 8 strides 16 box 4 8", "4 8", "a row of the box has 8 bytes"),
        in_map(tile + "swizzle 64B", "64 8 swizzle", "a row of the box has 128 bytes; swizzle 64B takes up to 64"),
        in_map(tile + "element-strides 1 9", "9", "from 1 to 8"), in_map(tile + "element-strides 2 1", "2 1", "begins with 1"),
        in_map(" im2col f16 base 0 sizes 8 9 strides 16 lower upper channels 8 pixels 9", "sizes", "must have 3 to 5"),
        in_map(" im2col f16 base 0 sizes 8 9 9 strides 16 144 lower 0 upper 0 channels 8 pixels 9 box 8", "box 8", "unexpected 'box'"),
        in_map(" im2col f16 base 0 sizes 8 9 9 9 strides 16 144 1296 lower 0 -129 upper 0 0 channels 8 pixels 9", "-129",
               "from -128 to 127"),
        in_map(" im2col f16 base 0 sizes 8 9 9 9 strides 16 144 1296 lower 0 upper 0 0 channels 8 pixels 9", "lower", "must have 2"),
        in_map(" im2col f16 base 0 sizes 8 9 9 strides 16 144 lower 0 upper 0 channels 8 pixels 1025", "1025", "from 1 to 1024"),
        in_map(" im2col f16 base 0 sizes 8 9 9 strides 16 144 lower 0 upper 0 channels 4 pixels 9", "4 pixels", "has 8 bytes"),
        in_map(window + "element-strides 1 1", "element-strides", "it must have 4")));

}  // namespace
}  // namespace tc::trace::test::asynchronous_trace_test
