// SPDX-License-Identifier: Apache-2.0
#include <dump_option.hpp>
#include <exit_status.hpp>

#include <gtest/gtest.h>

// What --dump takes, and what it says of anything else.

namespace tcsim::dump_option_test {
namespace {

using tc::device::state_space;

TEST(dump_option, names_a_memory_a_range_and_a_file) {
  const dump_option option = dump_option::parse("global:0x1000:256:out/a.bin");
  EXPECT_EQ(option.range.place.space, state_space::global);
  EXPECT_EQ(option.range.base, 0x1000U);
  EXPECT_EQ(option.range.bytes, 256U);
  EXPECT_EQ(option.file, "out/a.bin");
  EXPECT_FALSE(option.cycle);
}

TEST(dump_option, names_the_place_of_the_memory) {
  const dump_option slot = dump_option::parse("sm2.subcore1.warp3.registers:0:128:r.bin@500");
  EXPECT_EQ(slot.range.place.space, state_space::registers);
  EXPECT_EQ(slot.range.place.sm, 2U);
  EXPECT_EQ(slot.range.place.sub_core, 1U);
  EXPECT_EQ(slot.range.place.warp, 3U);
  EXPECT_EQ(slot.cycle, 500U);
  const dump_option warp = dump_option::parse("cta5.warp2.registers:0:128:r.bin");
  EXPECT_EQ(warp.range.place.cta, 5U);
  EXPECT_EQ(warp.range.place.warp, 2U);
  EXPECT_EQ(dump_option::parse("cta5.shared:0:128:s.bin").range.place.cta, 5U);
  EXPECT_EQ(dump_option::parse("tensor:0:128:t.bin").range.place.space, state_space::tensor);
}

TEST(dump_option, takes_places_as_the_object_tree_spells_them) {
  EXPECT_EQ(dump_option::parse("gpu.sm_1.sub_core_3.registers:0:4:r.bin").range.place.text(), "sm1.subcore3.registers");
}

TEST(dump_option, takes_as_many_bytes_as_are_possible) {
  EXPECT_EQ(dump_option::parse("global:0:68719476736:f").range.bytes, dump_option::max_bytes);
}

TEST(dump_option, takes_file_names_with_colons_and_with_an_at_before_the_cycle) {
  EXPECT_EQ(dump_option::parse("shared:0:4:a:b.bin").file, "a:b.bin");
  const dump_option option = dump_option::parse("shared:0:4:me@home.bin@7");
  EXPECT_EQ(option.file, "me@home.bin");
  EXPECT_EQ(option.cycle, 7U);
}

struct wrong_option {
  const char *name, *text, *message;
};

void PrintTo(const wrong_option& option, std::ostream* out) { *out << option.text; }

class wrong_dump_option : public testing::TestWithParam<wrong_option> {};

INSTANTIATE_TEST_SUITE_P(
    of, wrong_dump_option,
    testing::Values(wrong_option{"one_part", "shared", "expected SPACE:BASE:BYTES:FILE[@CYCLE], as in "},
                    wrong_option{"no_file", "shared:0:4", "expected SPACE:BASE:BYTES:FILE[@CYCLE], as in "},
                    wrong_option{"empty_file", "shared:0:4:@9", "no file: expected SPACE"},
                    wrong_option{"memory", "l2:0:4:f", "no memory is called \"l2\": there are global, shared, tensor and registers"},
                    wrong_option{"no_memory", "sm0:0:4:f", "no memory is called \"sm0\""},
                    wrong_option{"place", "core0.shared:0:4:f", "\"core0\" is no place: there are sm0, subcore0, warp0 and cta0"},
                    wrong_option{"place_without_number", "sm.shared:0:4:f", "the number of a place \"\" is no number"},
                    wrong_option{"large_place", "sm4294967296.shared:0:4:f", "there is no sm4294967296"},
                    wrong_option{"place_twice", "sm0.sm1.shared:0:4:f", "sm is there twice"},
                    wrong_option{"place_of_global", "sm0.global:0:4:f", "write global alone"},
                    wrong_option{"sm_of_cta", "sm0.cta1.shared:0:4:f", "a CTA is in the SM that has taken it"},
                    wrong_option{"warp_of_shared", "warp0.shared:0:4:f",
                                 "a memory of an SM, as in sm0.shared, or of a CTA, as in cta0.shared"},
                    wrong_option{"base", "shared:zero:4:f", "the base \"zero\" is no number, as 4096 or 0x1000"},
                    wrong_option{"negative_base", "shared:-4:4:f", "the base \"-4\" is no number"},
                    wrong_option{"large_base", "global:0x10000000000000000:4:f", "does not fit into 64 bits"},
                    wrong_option{"bytes", "shared:0:4k:f", "the number of bytes \"4k\" is no number"},
                    wrong_option{"no_bytes", "shared:0:0:f", "no bytes"},
                    wrong_option{"many_bytes", "global:0:68719476737:f", "up to 68719476736 bytes are possible"},
                    wrong_option{"end", "global:0xffffffffffffffff:2:f", "no memory has addresses of more than 64 bits"},
                    wrong_option{"cycle", "shared:0:4:f@end", "the cycle \"end\" is no number"},
                    wrong_option{"first_cycle", "shared:0:4:f@0", "the first cycle to look at is 1"}),
    [](const auto& of) { return of.param.name; });

TEST_P(wrong_dump_option, is_refused_with_what_would_be_right) {
  try {
    dump_option::parse(GetParam().text);
    ADD_FAILURE() << "taken";
  } catch (const usage_error& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.rfind(std::string("--dump ") + GetParam().text + ": ", 0), 0U) << message;
    EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace tcsim::dump_option_test
