// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/trace/trace_error.hpp>

#include "trace_text.hpp"

namespace tc::trace::test::trace_error_test {
namespace {

/// A trace with one mistake, where it must be reported, and words that the message must hold.
struct mistake {
  const char* name;
  std::string text;
  std::uint64_t line;
  std::size_t column;
  const char* words;
};

std::ostream& operator<<(std::ostream& out, const mistake& m) { return out << m.name; }

class trace_mistakes : public testing::TestWithParam<mistake> {};

TEST_P(trace_mistakes, is_reported_at_its_place) {
  const mistake& m = GetParam();
  const scratch_folder folder;
  folder.write("short.bin", "1234567");
  open_options options;
  options.image_folder = folder.path();
  try {
    read_text(m.text, options);
    FAIL() << "the trace was accepted";
  } catch (const trace_error& error) {
    EXPECT_EQ(error.line(), m.line) << error.what();
    EXPECT_EQ(error.column(), m.column) << error.what();
    EXPECT_EQ(error.file(), "example.trace");
    EXPECT_EQ(std::string(error.what()).rfind("example.trace:" + std::to_string(m.line) + ":" + std::to_string(m.column) + ": ", 0), 0U);
    EXPECT_NE(std::string(error.what()).find(m.words), std::string::npos) << error.what();
  }
}

std::string with(std::size_t line, const std::string& text) { return trace_text().replace(line, text).str(); }
std::string plus(std::size_t line, const std::string& text) { return trace_text().insert(line, text).str(); }
std::string without(std::size_t line) { return trace_text().erase(line).str(); }
std::string sm_90(std::size_t line, const std::string& text) { return trace_text().replace(2, "arch sm_90").replace(line, text).str(); }

std::string numbers(unsigned count) {
  std::string list = "{0x0";
  for (unsigned i = 1; i < count; ++i) list += ", 0x0";
  return list + "}";
}

std::string name_of(const testing::TestParamInfo<mistake>& info) { return info.param.name; }

/// Lines that were right before, and come again where they are not.
std::string again(const std::string& lines) { return trace_text().replace(10, "/*0000*/ NOP mask ffffffff").str() + lines; }

INSTANTIATE_TEST_SUITE_P(known_lines, trace_mistakes,
                         testing::Values(mistake{"before_the_first_warp", again("cta 1 0 0\n/*0010*/ EXIT\n"), 13, 1,
                                                 "before the first 'warp'"},
                                         mistake{"with_a_mask_of_more_lanes", again("warp 2\n/*0000*/ NOP mask ffffffff\n"), 13, 19,
                                                 "warp 2 has the lanes 0000ffff"}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(magic, trace_mistakes,
                         testing::Values(mistake{"empty_file", "", 1, 1, "empty"},
                                         mistake{"other_magic", with(1, "accelsim 1"), 1, 1, "not a trace"},
                                         mistake{"binary", std::string("\x7f\x45\x4c\x46\0\0", 6), 1, 1, "not a trace"},
                                         mistake{"no_magic", without(1), 1, 1, "not a trace"},
                                         mistake{"version_missing", with(1, "tcsim-trace"), 1, 12, "version of the format is missing"},
                                         mistake{"version_2", with(1, "tcsim-trace 2"), 1, 13, "unsupported version"},
                                         mistake{"version_text", with(1, "tcsim-trace one"), 1, 13, "must be a number"},
                                         mistake{"more", with(1, "tcsim-trace 1 x"), 1, 15, "unexpected 'x'"},
                                         mistake{"carriage_return_inside", with(2, "arch sm_75\r x"), 2, 6, "unknown arch"},
                                         mistake{"utf_16", "\xff\xfet", 1, 1, "UTF-16"}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    header, trace_mistakes,
    testing::Values(mistake{"unknown_directive", plus(6, "colour blue"), 6, 1, "neither a directive nor an instruction"},
                    mistake{"arch_missing", without(2), 7, 1, "'arch sm_75'"},
                    mistake{"arch_unknown", with(2, "arch sm_61"), 2, 6, "unknown arch 'sm_61'"},
                    mistake{"arch_twice", plus(3, "arch sm_75"), 3, 1, "given twice"},
                    mistake{"arch_more", with(2, "arch sm_75 sm_80"), 2, 12, "unexpected"},
                    mistake{"kernel_missing", without(3), 7, 1, "'kernel NAME'"},
                    mistake{"kernel_empty", with(3, "kernel"), 3, 7, "name is missing"},
                    mistake{"kernel_not_utf8", with(3, "kernel a\xff"), 3, 9, "UTF-8"},
                    mistake{"kernel_control_character", with(3, "kernel a\x01"), 3, 9, "UTF-8"},
                    mistake{"grid_missing", without(4), 7, 1, "'grid X Y Z'"},
                    mistake{"grid_zero", with(4, "grid 1 0 1"), 4, 8, "must be from 1 to 65535"},
                    mistake{"grid_two_numbers", with(4, "grid 1 1"), 4, 9, "grid z is missing"},
                    mistake{"grid_four_numbers", with(4, "grid 1 1 1 1"), 4, 12, "unexpected '1'"},
                    mistake{"grid_negative", with(4, "grid -1 1 1"), 4, 6, "must be a number"},
                    mistake{"grid_huge", with(4, "grid 99999999999999999999 1 1"), 4, 6, "must be from 1 to"},
                    mistake{"block_missing", without(5), 7, 1, "'block X Y Z'"},
                    mistake{"block_too_large", with(5, "block 32 33 1"), 5, 7, "1056 threads"},
                    mistake{"block_text", with(5, "block 32a 1 1"), 5, 7, "must be a number"},
                    mistake{"cluster_before_sm_90", plus(6, "cluster 2 1 1"), 6, 9, "sm_90"},
                    mistake{"cluster_does_not_divide", trace_text().replace(2, "arch sm_90").insert(6, "cluster 3 1 1").str(), 6, 9,
                            "divide"},
                    mistake{"cluster_too_large", plus(6, "cluster 8 4 1"), 6, 9, "32 CTAs"},
                    mistake{"registers_zero", with(6, "registers 0"), 6, 11, "from 1 to 255"},
                    mistake{"registers_256", with(6, "registers 256"), 6, 11, "from 1 to 255"},
                    mistake{"shared_too_large", with(7, "shared 0x1000001"), 7, 8, "must be from 0"},
                    mistake{"data_of_a_kind", plus(8, "data all"), 8, 6, "expected 'none'"},
                    mistake{"header_after_cta", plus(9, "shared 4"), 9, 1, "before the first 'cta'"},
                    mistake{"header_only", trace_text().erase(11).erase(10).erase(9).erase(8).str(), 8, 1, "before its first 'cta'"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    images, trace_mistakes,
    testing::Values(
        mistake{"base_missing", plus(8, "memory"), 8, 7, "base is missing"},
        mistake{"bytes_missing", plus(8, "memory 0x0"), 8, 11, "number of bytes is missing"},
        mistake{"no_bytes", plus(8, "memory 0x0 0 zero"), 8, 12, "must be from 1"},
        mistake{"beyond_the_address_space", plus(8, "memory 0x1ffffffffffffff 2 zero"), 8, 26, "must be from 1 to 1"},
        mistake{"content_missing", plus(8, "memory 0x0 4"), 8, 13, "content is missing"},
        mistake{"content_unknown", plus(8, "memory 0x0 4 ones"), 8, 14, "unknown content 'ones'"},
        mistake{"zero_with_more", plus(8, "memory 0x0 4 zero 1"), 8, 19, "unexpected '1'"},
        mistake{"fill_without_byte", plus(8, "memory 0x0 4 fill"), 8, 18, "byte is missing"},
        mistake{"fill_with_256", plus(8, "memory 0x0 4 fill 256"), 8, 19, "from 0 to 255"},
        mistake{"hex_too_short", plus(8, "memory 0x0 4 hex 001122"), 8, 18, "6 hexadecimal digits; 4 bytes need 8"},
        mistake{"hex_too_long", plus(8, "memory 0x0 1 hex 001122"), 8, 18, "6 hexadecimal digits"},
        mistake{"hex_odd", plus(8, "memory 0x0 1 hex 001"), 8, 18, "3 hexadecimal digits"},
        mistake{"hex_not_hex", plus(8, "memory 0x0 2 hex 00zz"), 8, 20, "not a hexadecimal digit"},
        mistake{"hex_second_digit", plus(8, "memory 0x0 2 hex 000z"), 8, 21, "not a hexadecimal digit"},
        mistake{"hex_empty", plus(8, "memory 0x0 2 hex"), 8, 17, "0 hexadecimal digits"},
        mistake{"file_without_path", plus(8, "memory 0x0 4 file"), 8, 18, "path is missing"},
        mistake{"file_missing", plus(8, "memory 0x0 4 file none.bin"), 8, 19, "none.bin cannot be read"},
        mistake{"file_is_a_folder", plus(8, "memory 0x0 4 file ."), 8, 19, "cannot be read"},
        mistake{"file_of_wrong_size", plus(8, "memory 0x0 4 file short.bin"), 8, 19, "has 7 bytes; it must have 4"},
        mistake{"memory_overlap", trace_text().insert(8, "memory 0x0 8 zero").insert(9, "memory 0x7 8 zero").str(), 9, 8,
                "overlaps the one of line 8"},
        mistake{"memory_overlap_below", trace_text().insert(8, "memory 0x8 8 zero").insert(9, "memory 0x0 9 zero").str(), 9, 8,
                "of line 8"},
        mistake{"memory_twice", trace_text().insert(8, "memory 0x0 8 zero").insert(9, "memory 0x0 8 zero").str(), 9, 8, "overlaps"},
        mistake{"expect_twice", trace_text().insert(8, "expect 0x0 8 zero").insert(9, "expect 0x0 8 zero").str(), 9, 8, "overlaps"},
        mistake{"expect_missing_file", plus(8, "expect 0x0 4 file none.bin"), 8, 19, "cannot be read"},
        mistake{"constant_bank", plus(8, "constant 32 0 4 zero"), 8, 10, "from 0 to 31"},
        mistake{"constant_beyond_bank", plus(8, "constant 0 0xfffe 4 zero"), 8, 19, "must be from 1 to 2"},
        mistake{"constant_overlap", trace_text().insert(8, "constant 1 0x0 8 zero").insert(9, "constant 1 4 8 zero").str(), 9, 12,
                "of line 8"},
        mistake{"constant_of_wrong_size", plus(8, "constant 0 0x210 8 hex 00"), 8, 24, "8 bytes need 16"},
        mistake{"shared_memory_beyond_shared", plus(8, "shared-memory 0xff0 32 zero"), 8, 15, "beyond the 4096 bytes"},
        mistake{"shared_memory_overlap", trace_text().insert(8, "shared-memory 0 8 zero").insert(9, "shared-memory 4 8 zero").str(), 9, 15,
                "of line 8"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    order, trace_mistakes,
    testing::Values(mistake{"warp_before_cta", without(8), 8, 1, "before the first 'cta'"},
                    mistake{"reg_before_cta", plus(8, "reg R0 0"), 8, 1, "before the first 'warp'"},
                    mistake{"reg_before_warp", plus(9, "reg R0 0"), 9, 1, "before the first 'warp'"},
                    mistake{"reg_after_instruction", plus(11, "reg R0 0"), 11, 1, "after the warp's first instruction"},
                    mistake{"instruction_before_cta", plus(8, "/*0000*/ NOP"), 8, 1, "before the first 'warp'"},
                    mistake{"instruction_before_warp", without(9), 9, 1, "before the first 'warp'"},
                    mistake{"instruction_before_warp_of_second_cta", trace_text().append("cta 1 0 0").append("/*0000*/ NOP").str(), 13, 1,
                            "first 'warp'"},
                    mistake{"cta_outside_grid", with(8, "cta 0 2 0"), 8, 7, "from 0 to 1"},
                    mistake{"cta_two_numbers", with(8, "cta 0 0"), 8, 8, "z is missing"},
                    mistake{"cta_more", with(8, "cta 0 0 0 0"), 8, 11, "unexpected"},
                    mistake{"cta_twice", trace_text().append("cta 0 0 0").str(), 12, 5, "given twice"},
                    mistake{"cta_without_warps", plus(8, "cta 1 0 0"), 8, 1, "no warps"},
                    mistake{"last_cta_without_warps", trace_text().append("cta 1 0 0").str(), 12, 1, "no warps"},
                    mistake{"warp_outside_block", with(9, "warp 3"), 9, 6, "from 0 to 2"},
                    mistake{"warp_without_number", with(9, "warp"), 9, 5, "number is missing"},
                    mistake{"warp_twice", trace_text().append("warp 0").str(), 12, 6, "given twice"},
                    mistake{"warp_without_instructions", plus(9, "warp 1"), 9, 1, "warp 1 has no instructions"},
                    mistake{"last_warp_without_instructions", trace_text().append("warp 1").str(), 12, 1, "warp 1 has no instructions"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    presets, trace_mistakes,
    testing::Values(mistake{"register_missing", plus(10, "reg"), 10, 4, "expected a register"},
                    mistake{"not_a_register", plus(10, "reg X8 0"), 10, 5, "expected a register"},
                    mistake{"zero_register", plus(10, "reg RZ 0"), 10, 6, "must be a number"},
                    mistake{"beyond_registers", plus(10, "reg R64 0"), 10, 6, "from 0 to 63"},
                    mistake{"value_missing", plus(10, "reg R8"), 10, 7, "value is missing"},
                    mistake{"value_too_large", plus(10, "reg R8 0x100000000"), 10, 8, "must be from 0"},
                    mistake{"too_few_values", plus(10, "reg R8 {0x0, 0x1}"), 10, 17, "expected ','"},
                    mistake{"too_many_values", plus(10, "reg R8 " + numbers(33)), 10, 8 + 4 + 31 * 5, "expected '}'"},
                    mistake{"unclosed", plus(10, "reg R8 " + numbers(32).substr(0, 4 + 31 * 5)), 10, 8 + 4 + 31 * 5, "expected '}'"},
                    mistake{"more", plus(10, "reg R8 0 1"), 10, 10, "unexpected"},
                    mistake{"twice", trace_text().insert(10, "reg R8 0").insert(11, "reg R8 0").str(), 11, 5, "given twice"},
                    mistake{"uniform_register_with_list", plus(10, "reg UR4 " + numbers(32)), 10, 9, "one value"},
                    mistake{"predicate_with_2", plus(10, "reg P0 2"), 10, 8, "from 0 to 1"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    instructions, trace_mistakes,
    testing::Values(
        mistake{"pc_missing", with(10, "[B------:R-:W-:-:S01] NOP"), 10, 1, "pc is missing"},
        mistake{"pc_not_hex", with(10, "/*xyz*/ NOP"), 10, 3, "pc must be hexadecimal"},
        mistake{"pc_unclosed", with(10, "/*0000 NOP"), 10, 8, "expected '*/'"},
        mistake{"pc_alone", with(10, "/*0000*/"), 10, 9, "opcode is missing"},
        mistake{"mask_too_short", with(10, "/*0000*/ NOP mask ff"), 10, 19, "eight"},
        mistake{"mask_too_long", with(10, "/*0000*/ NOP mask fffffffff"), 10, 27, "unexpected 'f'"},
        mistake{"mask_not_hex", with(10, "/*0000*/ NOP mask xx"), 10, 19, "mask must be hexadecimal"},
        mistake{"mask_missing", with(10, "/*0000*/ NOP mask"), 10, 18, "mask must be hexadecimal"},
        mistake{"mask_more", with(10, "/*0000*/ NOP mask 00000000 x"), 10, 28, "unexpected"},
        mistake{"mask_beyond_block", trace_text().replace(9, "warp 2").replace(10, "/*0000*/ NOP mask 00010000").str(), 10, 19, "0000ffff"},
        mistake{"register_beyond_kernel", with(10, "/*0000*/ [B------:R-:W-:-:S01] MOV R3, R64"), 10, 40, "R0 to R63"},
        mistake{"register_pair_beyond_kernel", with(10, "/*0000*/ LDG.E.64 R63, [R2] @ 0x0"), 10, 19, "R63"},
        mistake{"unknown_opcode", with(10, "/*0000*/ [B------:R-:W-:-:S01] FROB R1"), 10, 32, "FROB"},
        mistake{"barrier_in_a_register", with(10, "/*0000*/ [B------:R-:W-:-:S01] @P0 BAR.SYNC R5, 0x40"), 10, 45, "BAR.SYNC 0x1, 0x40"},
        mistake{"threads_in_a_register", with(10, "/*0000*/ BAR.SYNC 0x3, R5"), 10, 19, "numbers that the register holds"},
        mistake{"bad_control", with(10, "/*0000*/ [B------:R-:W-:-:S99] NOP"), 10, 28, "stall"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    addresses, trace_mistakes,
    testing::Values(
        mistake{"missing", with(10, "/*0000*/ LDG.E.SYS R0, [R2]"), 10, 28, "addresses are missing"},
        mistake{"missing_behind_sign", with(10, "/*0000*/ LDG.E.SYS R0, [R2] @"), 10, 30, "addresses are missing"},
        mistake{"not_wanted", with(10, "/*0000*/ NOP @ 0x0"), 10, 16, "accesses no memory"},
        mistake{"with_empty_mask", with(10, "/*0000*/ LDG.E.SYS R0, [R2] mask 00000000 @ 0x0"), 10, 45, "mask is 0"},
        mistake{"too_few", with(10, "/*0000*/ LDG.E.SYS R0, [R2] @ {0x0, 0x4}"), 10, 31, "2 addresses for 32 lanes"},
        mistake{"too_many", with(10, "/*0000*/ LDG.E.SYS R0, [R2] mask 00000003 @ {0x0, 0x4, 0x8}"), 10, 45, "3 addresses for 2 lanes"},
        mistake{"not_a_number", with(10, "/*0000*/ LDG.E.SYS R0, [R2] @ zero"), 10, 31, "address must be a number"},
        mistake{"unclosed_list", with(10, "/*0000*/ LDG.E.SYS R0, [R2] mask 00000001 @ {0x0"), 10, 49, "expected '}'"},
        mistake{"empty_list", with(10, "/*0000*/ LDG.E.SYS R0, [R2] mask 00000001 @ {}"), 10, 46, "address must be a number"},
        mistake{"more", with(10, "/*0000*/ LDG.E.SYS R0, [R2] @ 0x0+4 8"), 10, 37, "unexpected"},
        mistake{"hexadecimal_stride", with(10, "/*0000*/ LDG.E.SYS R0, [R2] @ 0x0+0x4"), 10, 35, "stride must be a decimal"},
        mistake{"stride_missing", with(10, "/*0000*/ LDG.E.SYS R0, [R2] @ 0x0+"), 10, 35, "stride is missing"},
        mistake{"below_zero", with(10, "/*0000*/ LDG.E.SYS R0, [R2] @ 0x10-4"), 10, 31, "lane 5 is -4"},
        mistake{"beyond_the_address_space", with(10, "/*0000*/ LDG.E.SYS R0, [R2] @ 0x1fffffffffffffc+4"), 10, 31, "lane 1"},
        mistake{"misaligned", with(10, "/*0000*/ LDG.E.64.SYS R0, [R2] @ 0x1004+8"), 10, 34, "multiple of 8"},
        mistake{"misaligned_lane", with(10, "/*0000*/ LDG.E.SYS R0, [R2] @ 0x1000+6"), 10, 31, "lane 1 must be a multiple of 4"},
        mistake{"misaligned_matrix_row", with(10, "/*0000*/ LDSM.16.M88.4 R0, [R4] @ 0x8+16"), 10, 35, "multiple of 16"},
        mistake{"matrix_rows_of_active_lanes", with(10, "/*0000*/ LDSM.16.M88 R0, [R4] mask 00000001 @ {0x0}"), 10, 47,
                "1 addresses for 32 lanes"},
        mistake{"beyond_shared", with(10, "/*0000*/ STS [R0], R1 @ 0xf84+4"), 10, 25, "lane 31 accesses 4 bytes at 0x1000"},
        mistake{"shared_absent", trace_text().replace(10, "/*0000*/ STS [R0], R1 @ 0x0+4").erase(7).str(), 9, 25, "shared memory"},
        mistake{"shared_of_the_system", sm_90(10, "/*0000*/ STS [R0], R1 @ 0x3fc+4"), 10, 25, "0x400 up to 0x1000"}),
    name_of);

TEST(trace_cut_off, is_refused_unless_the_warp_has_exited) {
  const std::string whole = trace_text().str();
  EXPECT_NO_THROW(read_text(whole.substr(0, whole.size() - 1)));
  const std::string cut = trace_text().replace(11, "/*0010*/ MOV R1, R2").str();
  EXPECT_NO_THROW(read_text(cut));
  EXPECT_THROW(read_text(cut.substr(0, cut.size() - 1)), trace_error);
}

TEST(trace_cut_off, is_refused_wherever_an_address_list_is_cut) {
  trace_text text;
  text.replace(10, "/*0000*/ LDG.E.SYS R0, [R2] mask 00000007 @ {0x10, 0x20, 0x30}").erase(11);
  const std::string whole = text.str();
  const std::size_t line = whole.find("/*0000*/");
  for (std::size_t length = line; length < whole.size(); ++length)
    EXPECT_THROW(read_text(whole.substr(0, length)), trace_error) << whole.substr(line, length - line);
}

}  // namespace
}  // namespace tc::trace::test::trace_error_test
