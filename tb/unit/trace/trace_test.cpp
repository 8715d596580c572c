// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/trace/trace_error.hpp>

#include "trace_text.hpp"

namespace tc::trace::test::trace_test {
namespace {

std::vector<std::uint8_t> bytes_of(const memory_content& content) {
  std::vector<std::uint8_t> bytes(content.bytes());
  content.copy(0, bytes.data(), bytes.size());
  return bytes;
}

step only_step(const std::string& instruction) { return steps_of(read_text(trace_text().replace(10, instruction))).at(0); }

TEST(trace_header, holds_what_the_trace_says) {
  const trace t = read_text(trace_text().replace(2, "arch sm_90").replace(3, "kernel  two words # and more ").insert(6, "cluster 2 1 1"));
  const kernel_header& header = t.header();
  EXPECT_EQ(header.arch, isa::architecture::sm_90);
  EXPECT_EQ(header.kernel, "two words # and more");
  EXPECT_EQ(header.grid.count(), 4U);
  EXPECT_EQ(header.block.x, 80U);
  EXPECT_EQ(header.cluster.x, 2U);
  EXPECT_EQ(header.registers, 64U);
  EXPECT_EQ(header.shared_bytes, 4096U);
  EXPECT_EQ(header.warps_per_cta(), 3U);
  EXPECT_EQ(header.lanes_of_warp(1), 0xffffffffU);
  EXPECT_EQ(header.lanes_of_warp(2), 0x0000ffffU);
}

TEST(trace_header, has_defaults_for_what_is_absent) {
  const trace t = read_text(trace_text().erase(7).erase(6));
  EXPECT_EQ(t.header().registers, 255U);
  EXPECT_EQ(t.header().shared_bytes, 0U);
  EXPECT_EQ(t.header().cluster.count(), 1U);
  EXPECT_TRUE(t.header().memory.empty());
}

TEST(trace_header, reads_images_of_every_kind) {
  const scratch_folder folder;
  folder.write("five words.bin", "hello");
  trace_text text;
  text.insert(8, "memory 0x10000 5 file five words.bin")
      .insert(9, "memory 65541 3 zero")
      .insert(10, "shared-memory 0xff0 16 fill 0xa5")
      .insert(11, "expect 0x10000 4 hex 0001feFF")
      .insert(12, "constant 3 0x210 2 hex 1234")
      .insert(13, "constant 4 0x210 2 hex 5678");
  open_options options;
  options.image_folder = folder.path();
  const kernel_header header = read_text(text, options).header();
  ASSERT_EQ(header.memory.size(), 2U);
  EXPECT_EQ(bytes_of(header.memory[0].content), (std::vector<std::uint8_t>{'h', 'e', 'l', 'l', 'o'}));
  EXPECT_EQ(header.memory[1].base, 0x10005U);
  EXPECT_EQ(bytes_of(header.memory[1].content), (std::vector<std::uint8_t>(3, 0)));
  EXPECT_EQ(header.shared_memory.at(0).base, 0xff0U);
  EXPECT_EQ(bytes_of(header.shared_memory[0].content), (std::vector<std::uint8_t>(16, 0xa5)));
  EXPECT_EQ(bytes_of(header.expectations.at(0).content), (std::vector<std::uint8_t>{0x00, 0x01, 0xfe, 0xff}));
  ASSERT_EQ(header.constants.size(), 2U);
  EXPECT_EQ(header.constants[0].bank, 3U);
  EXPECT_EQ(header.constants[0].offset, 0x210U);
  EXPECT_EQ(bytes_of(header.constants[0].content), (std::vector<std::uint8_t>{0x12, 0x34}));
}

TEST(trace_header, copies_parts_of_an_image) {
  const scratch_folder folder;
  const auto path = folder.write("image.bin", "0123456789");
  std::array<std::uint8_t, 3> part{};
  memory_content::file(path, 10).copy(7, part.data(), part.size());
  EXPECT_EQ(part, (std::array<std::uint8_t, 3>{'7', '8', '9'}));
  memory_content::literal({1, 2, 3, 4}).copy(1, part.data(), part.size());
  EXPECT_EQ(part, (std::array<std::uint8_t, 3>{2, 3, 4}));
  folder.write("image.bin", "012");
  EXPECT_THROW(memory_content::file(path, 10).copy(2, part.data(), part.size()), std::runtime_error);
}

TEST(trace_header, does_not_materialise_large_images) {
  const trace t = read_text(trace_text().insert(8, "memory 0x0 0x100000000000000 fill 1"));
  std::uint8_t byte = 0;
  t.header().memory.at(0).content.copy(0xffffffffffffff, &byte, 1);
  EXPECT_EQ(byte, 1);
}

TEST(trace_steps, carry_pc_control_mask_and_line) {
  trace_text text;
  text.replace(10, "/*0a30*/ [B0-----:R-:W2:Y:S07] MOV R1, R2").replace(11, "  /*0a40*/\t@!P0 MOV R1, R2 mask 0000f00f  ");
  text.append("# comment").append("").append("   ").append("/*0130*/ EXIT mask 00000000").append("/*0140*/ EXIT");
  const trace t = read_text(text);
  const std::vector<step> steps = steps_of(t);
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[0].pc, 0xa30U);
  EXPECT_EQ(steps[0].mask, 0xffffffffU);
  EXPECT_EQ(steps[0].line, 10U);
  ASSERT_TRUE(steps[0].code->control.has_value());
  EXPECT_EQ(steps[0].code->control->stall_cycles, 7);
  EXPECT_TRUE(steps[0].addresses.empty());
  EXPECT_FALSE(steps[1].code->control.has_value());
  EXPECT_TRUE(steps[1].code->guard.inverted);
  EXPECT_EQ(steps[1].mask, 0x0000f00fU);
  EXPECT_EQ(steps[2].pc, 0x130U);
  EXPECT_EQ(steps[2].mask, 0U);
  EXPECT_EQ(steps[2].line, 15U);
  EXPECT_EQ(steps[3].pc, 0x140U);
  EXPECT_EQ(steps[3].mask, 0xffffffffU);
}

TEST(trace_steps, share_the_code_of_equal_texts) {
  trace_text text;
  text.replace(10, "/*0000*/ MOV R1, R2").replace(11, "/*0010*/ MOV R1, R3").append("/*0000*/ MOV R1, R2").append("/*0020*/ EXIT");
  const trace t = read_text(text);
  const std::vector<step> steps = steps_of(t);
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(t.code_size(), 3U);
  EXPECT_EQ(steps[0].code, steps[2].code);
  EXPECT_EQ(steps[0].code, &t.code(steps[0].code_index));
  EXPECT_NE(steps[0].code, steps[1].code);
}

TEST(trace_steps, of_a_line_that_comes_again_belong_to_their_warp) {
  trace_text text;
  text.replace(10, "/*0000*/ MOV R1, R2")
      .append("warp 2")
      .append("/*0000*/ MOV R1, R2")
      .append("/*0010*/ EXIT")
      .append("/*0000*/ MOV R1, R2");
  const trace t = read_text(text);
  const std::vector<step> whole = steps_of(t, 0, 0), part = steps_of(t, 0, 1);
  ASSERT_EQ(whole.size(), 2U);
  ASSERT_EQ(part.size(), 3U);
  EXPECT_EQ(whole[0].mask, 0xffffffffU);
  EXPECT_EQ(part[0].mask, 0x0000ffffU);
  EXPECT_EQ(part[0].code, whole[0].code);
  EXPECT_EQ(part[2].code, whole[0].code);
  EXPECT_EQ(part[2].pc, 0U);
  EXPECT_EQ(part[2].line, 15U);
}

TEST(trace_steps, stay_playable_when_the_trace_moves) {
  trace first = read_text(trace_text());
  warp_player player = first.play(first.ctas()[0], 0);
  const trace second = std::move(first);
  step s;
  ASSERT_TRUE(player.next(s));
  EXPECT_EQ(s.code, &second.code(0));
  ASSERT_TRUE(player.next(s));
  EXPECT_FALSE(player.next(s));
  EXPECT_EQ(s.code->op, isa::opcode::exit);
  EXPECT_FALSE(player.next(s));
}

TEST(trace_addresses, follow_a_stride) {
  const step up = only_step("/*0000*/ LDG.E.SYS R0, [R2] @ 0x1000+4");
  EXPECT_EQ(up.addresses.lanes(), 0xffffffffU);
  EXPECT_EQ(up.addresses[0], 0x1000U);
  EXPECT_EQ(up.addresses[31], 0x107cU);
  const step down = only_step("/*0000*/ LDG.E.SYS R0, [R2] @ 0x1000-8");
  EXPECT_EQ(down.addresses[1], 0xff8U);
  EXPECT_EQ(down.addresses[31], 0x1000U - 31 * 8);
  EXPECT_EQ(only_step("/*0000*/ LDG.E.SYS R0, [R2] @ 0x1000+-8").addresses[31], 0x1000U - 31 * 8);
}

TEST(trace_addresses, count_the_stride_from_the_first_active_lane) {
  const step s = only_step("/*0000*/ LDG.E.SYS R0, [R2] mask 00000028 @ 0x1000+4");
  EXPECT_EQ(s.addresses.lanes(), 0x28U);
  EXPECT_EQ(s.addresses[3], 0x1000U);
  EXPECT_EQ(s.addresses[5], 0x1008U);
}

TEST(trace_addresses, are_the_same_for_all_lanes_or_listed) {
  const step same = only_step("/*0000*/ LDG.E.SYS R0, [R2] @ 4096");
  EXPECT_EQ(same.addresses[0], 0x1000U);
  EXPECT_EQ(same.addresses[31], 0x1000U);
  const step listed = only_step("/*0000*/ LDG.E.SYS R0, [R2] mask 80000102 @ {0x30,0x10 , 0x1fffffffffffffc}");
  EXPECT_EQ(listed.addresses.lanes(), 0x80000102U);
  EXPECT_EQ(listed.addresses[1], 0x30U);
  EXPECT_EQ(listed.addresses[8], 0x10U);
  EXPECT_EQ(listed.addresses[31], 0x1fffffffffffffcU);
}

TEST(trace_addresses, of_matrix_rows_belong_to_all_lanes) {
  const step s = only_step("/*0000*/ LDSM.16.M88.2 R0, [R4] mask 0000ffff @ 0x10+16");
  EXPECT_EQ(s.mask, 0xffffU);
  EXPECT_EQ(s.addresses.lanes(), 0xffffffffU);
  EXPECT_EQ(s.addresses[31], 0x10U + 31 * 16);
}

TEST(trace_addresses, of_unused_matrix_rows_are_not_checked) {
  EXPECT_NO_THROW(only_step("/*0000*/ LDSM.16.M88 R0, [R4] @ 0xf80+16"));
  EXPECT_ANY_THROW(only_step("/*0000*/ LDSM.16.M88.2 R0, [R4] @ 0xf80+16"));
}

TEST(trace_addresses, are_absent_when_the_mask_is_empty) {
  EXPECT_TRUE(only_step("/*0000*/ @!P0 STG.E.SYS [R4], R28 mask 00000000").addresses.empty());
}

TEST(trace_addresses, default_to_the_lanes_that_hold_threads) {
  trace_text text;
  text.replace(9, "warp 2").replace(10, "/*0000*/ LDG.E.SYS R0, [R2] @ 0x0+4");
  const step s = steps_of(read_text(text)).at(0);
  EXPECT_EQ(s.mask, 0x0000ffffU);
  EXPECT_EQ(s.addresses.lanes(), 0x0000ffffU);
}

TEST(trace_addresses, of_shared_memory_begin_behind_the_system_from_sm_90_on) {
  for (const char* arch : {"arch sm_90", "arch sm_100"}) {
    EXPECT_NO_THROW(read_text(trace_text().replace(2, arch).replace(10, "/*0000*/ STS [R0], R1 @ 0x400+4")));
    EXPECT_THROW(read_text(trace_text().replace(2, arch).replace(10, "/*0000*/ STS [R0], R1 @ 0x3fc+4")), trace_error);
  }
  EXPECT_NO_THROW(read_text(trace_text().replace(10, "/*0000*/ STS [R0], R1 @ 0x0+4")));
}

TEST(trace_presets, give_one_value_or_one_for_each_lane) {
  std::string list = "{0x100";
  for (unsigned lane = 1; lane < warp_lanes; ++lane) list += ", " + std::to_string(256 + lane);
  const trace t = read_text(trace_text()
                                .insert(10, "reg R8 0x3c003c00")
                                .insert(11, "reg R9 " + list + "}")
                                .insert(12, "reg UR4 4294967295")
                                .insert(13, "reg P0 1")
                                .append("warp 1")
                                .append("/*0000*/ EXIT"));
  const warp_player player = t.play(t.ctas()[0], 0);
  ASSERT_EQ(player.presets().size(), 4U);
  EXPECT_EQ(player.presets()[0].file, isa::register_file::vector);
  EXPECT_EQ(player.presets()[0].index, 8);
  EXPECT_EQ(player.presets()[0].values[31], 0x3c003c00U);
  EXPECT_EQ(player.presets()[1].values[0], 256U);
  EXPECT_EQ(player.presets()[1].values[31], 287U);
  EXPECT_EQ(player.presets()[2].file, isa::register_file::uniform);
  EXPECT_EQ(player.presets()[2].values[17], 0xffffffffU);
  EXPECT_EQ(player.presets()[3].file, isa::register_file::predicate);
  EXPECT_EQ(steps_of(t).size(), 2U);
  EXPECT_TRUE(t.play(t.ctas()[0], 1).presets().empty());
}

TEST(trace_presets, fit_in_any_number) {
  trace_text text;
  text.erase(6);
  for (unsigned r = 255; r-- > 0;) text.insert(9, "reg R" + std::to_string(r) + " 0xfedcba98");
  const trace t = read_text(text);
  const warp_player player = t.play(t.ctas()[0], 0);
  ASSERT_EQ(player.presets().size(), 255U);
  EXPECT_EQ(player.presets()[254].index, 254);
  EXPECT_EQ(player.presets()[254].values[31], 0xfedcba98U);
  EXPECT_EQ(steps_of(t).size(), 2U);
}

TEST(trace_ctas, are_ordered_as_they_are_dispatched) {
  trace_text text;
  text.replace(8, "cta 1 1 0").replace(9, "warp 2").append("warp 0").append("/*0000*/ EXIT").append("cta 0 1 0").append("warp 1");
  text.append("/*0050*/ NOP").append("/*0060*/ EXIT");
  const trace t = read_text(text);
  ASSERT_EQ(t.ctas().size(), 2U);
  EXPECT_EQ(t.ctas()[0].x, 0U);
  EXPECT_EQ(t.ctas()[0].y, 1U);
  EXPECT_EQ(t.ctas()[0].warp_count, 1U);
  EXPECT_EQ(t.ctas()[1].x, 1U);
  EXPECT_EQ(t.ctas()[1].warp_count, 2U);
  EXPECT_EQ(t.play(t.ctas()[0], 0).warp(), 1U);
  EXPECT_EQ(t.play(t.ctas()[1], 0).warp(), 2U);
  EXPECT_EQ(t.play(t.ctas()[1], 1).warp(), 0U);
  EXPECT_THROW(t.play(t.ctas()[0], 1), std::out_of_range);
  EXPECT_EQ(steps_of(t, 0).at(0).pc, 0x50U);
  EXPECT_EQ(steps_of(t, 0).at(0).line, 16U);
}

TEST(trace_ctas, play_at_the_same_time) {
  trace_text text;
  for (const char* cta : {"cta 1 0 0", "cta 0 1 0"}) {
    text.append(cta).append("warp 0");
    for (unsigned i = 0; i < 5000; ++i)
      text.append("/*0100*/ LDG.E.SYS R0, [R2] mask 00000007 @ {" + std::to_string(16 * i) + ", 0x0, 0x8}");
  }
  const trace t = read_text(text);
  warp_player a = t.play(t.ctas()[1], 0), b = t.play(t.ctas()[2], 0);
  step s;
  for (unsigned i = 0; i < 5000; ++i) {
    ASSERT_TRUE(a.next(s));
    ASSERT_EQ(s.addresses[0], 16U * i);
    ASSERT_TRUE(b.next(s));
    ASSERT_EQ(s.addresses[0], 16U * i);
    ASSERT_EQ(s.addresses[2], 8U);
  }
  EXPECT_FALSE(a.next(s));
  EXPECT_FALSE(b.next(s));
}

TEST(trace_summary, counts) {
  trace_text text;
  text.replace(10, "/*0000*/ MOV R1, R2").append("warp 1").append("/*0000*/ MOV R1, R2").append("/*0020*/ MOV R1, R4");
  text.append("cta 0 1 0").append("warp 0").append("/*0030*/ EXIT");
  const trace_summary numbers = read_text(text).summary();
  EXPECT_EQ(numbers.kernel, "example");
  EXPECT_EQ(numbers.ctas, 2U);
  EXPECT_EQ(numbers.warps, 3U);
  EXPECT_EQ(numbers.instructions, 5U);
  EXPECT_EQ(numbers.distinct_instructions, 3U);
  EXPECT_EQ(numbers.opcodes, (std::map<std::string, std::uint64_t>{{"MOV", 3}, {"EXIT", 2}}));
}

}  // namespace
}  // namespace tc::trace::test::trace_test
