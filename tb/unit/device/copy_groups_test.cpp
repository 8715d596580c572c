// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "test_machine.hpp"

// Groups of copies to shared memory: when their bytes come, and how long a warp waits for them.

namespace tc::device::test::copy_groups_test {
namespace {

const std::string copy = "[B------:R-:W-:-:S04] LDGSTS.E.BYPASS.128 [R1], [R4.64] @ 0x1000+16\n";
const std::string close_group = "[B------:R-:W0:-:S04] LDGDEPBAR\n";

std::string wait_for(unsigned groups) { return "[B------:R-:W-:-:S04] DEPBAR.LE SB0, " + std::to_string(groups) + "\n"; }

/// The clock into a result; results are 128 bytes apart from 0x2000 on, one word for each lane.
std::string clock_into(unsigned result) {
  const std::string place = std::to_string(128 * result);
  return "[B------:R-:W-:-:S12] CS2R.32 R10, SR_CLOCKLO\n[B------:R-:W-:-:S12] STG.E [R2.64+" + place + "], R10 @ " +
         std::to_string(0x2000 + 128 * result) + "+4\n";
}

/// A warp of sm_80 with 16 x lane in R1, a global address for each lane in R2 and R4, and 0xffffffff in R9.
std::string one_warp(const std::string& body) {
  std::string text =
      kernel_header(1, 1, "shared 1024\nmemory 0x1000 1024 fill 0x11\nmemory 0x2000 1024 zero\n", "sm_80") + cta_line(0) + warp_line(0);
  const std::string set_up =
      "[B------:R-:W1:-:S01] S2R R7, SR_LANEID\n[B-1----:R-:W-:-:S12] SHF.L.U32 R0, R7, 0x2, RZ\n"
      "[B------:R-:W-:-:S12] SHF.L.U32 R1, R7, 0x4, RZ\n[B------:R-:W-:-:S12] IADD3 R2, R0, 0x2000, RZ\n"
      "[B------:R-:W-:-:S12] MOV R3, 0x0\n[B------:R-:W-:-:S12] IADD3 R4, R1, 0x1000, RZ\n[B------:R-:W-:-:S12] MOV R5, 0x0\n"
      "[B------:R-:W-:-:S12] MOV R9, 0xffffffff\n";
  unsigned pc = 0;
  for (const std::string* const part : {&set_up, &body})
    for (std::size_t begin = 0; begin < part->size(); pc += 16) {
      const std::size_t end = part->find('\n', begin) + 1;
      char place[16];
      std::snprintf(place, sizeof place, "/*%04x*/ ", pc);
      text += place + part->substr(begin, end - begin);
      begin = end;
    }
  return text + "/*fff0*/ EXIT\n";
}

/// What is in the words of lane 0 of the results.
std::vector<std::uint32_t> results_of(const std::string& body, unsigned count) {
  test_machine machine(preset("ampere"), {one_warp(body)});
  machine.run();
  std::vector<std::uint32_t> results(count);
  for (unsigned i = 0; i < count; ++i) {
    std::array<std::uint8_t, 4> bytes{};
    EXPECT_TRUE(machine.device().peek_global(0x2000 + 128 * i, bytes.data(), bytes.size()));
    std::memcpy(&results[i], bytes.data(), bytes.size());
  }
  return results;
}

TEST(copy_groups, hold_a_warp_about_as_long_as_a_load_and_its_consumer) {
  const std::string loads = "[B------:R-:W0:-:S04] LDG.E.128 R12, [R4.64] @ 0x1000+16\n[B0-----:R-:W-:-:S04] MOV R9, R12\n";
  const std::string body = loads + clock_into(0) + clock_into(1) + loads + clock_into(2) + copy + close_group + wait_for(0) +
                           clock_into(3) + copy + close_group + wait_for(1) + clock_into(4);
  const std::vector<std::uint32_t> read = results_of(body, 5);
  const std::uint32_t nothing = read[1] - read[0], loaded = read[2] - read[1], copied = read[3] - read[2], not_held = read[4] - read[3];
  EXPECT_GT(loaded, nothing + 100);
  EXPECT_NEAR(copied, loaded, 30);
  EXPECT_LT(not_held, nothing + 20);  // one may be under way
}

/// A group ends when its own copies have come, and not when those behind it have.
TEST(copy_groups, are_waited_for_one_by_one) {
  const std::string far_behind = "[B------:R-:W-:-:S15] NOP\n[B------:R-:W-:-:S15] NOP\n[B------:R-:W-:-:S15] NOP\n";
  const std::string first = clock_into(0) + copy + close_group + far_behind + copy + close_group;
  const std::vector<std::uint32_t> read = results_of(first + wait_for(1) + clock_into(1) + wait_for(0) + clock_into(2), 3);
  EXPECT_GT(read[1], read[0] + 200);
  EXPECT_GT(read[2], read[1] + 20);
  EXPECT_LT(read[2], read[1] + 100);
}

/// Shared memory has its old bytes until the copy has come.
TEST(copies, come_when_the_memory_gives_them) {
  const std::string old = "[B------:R-:W-:-:S04] STS [R1], R9 @ 0x0+16\n";
  const auto show = [](const char* where) {
    return "[B------:R-:W2:-:S04] LDS R10, [R1] @ 0x0+16\n[B--2---:R-:W-:-:S04] STG.E [R2.64+" + std::string(where) + "], R10 @ " +
           std::to_string(0x2000 + std::stoi(where)) + "+4\n";
  };
  const std::vector<std::uint32_t> read = results_of(old + copy + show("0") + close_group + wait_for(0) + show("128"), 2);
  EXPECT_EQ(read[0], 0xffffffffU);
  EXPECT_EQ(read[1], 0x11111111U);
}

}  // namespace
}  // namespace tc::device::test::copy_groups_test
