// SPDX-License-Identifier: Apache-2.0
#include "late_dot_products.hpp"

#include <array>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/subcore/warpgroup/warpgroup_reports.hpp>

#include "test_machine.hpp"

// Warpgroup matrix instructions whose sums come in a call of their own.

namespace tc::device::test::late_dot_products_test {
namespace {

/// A warpgroup that multiplies twice into the same accumulators, once into others, and stores what came out.
std::string multiplying_kernel() {
  const auto multiply = [](const char* accumulators) {
    return fmt::format("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{{}}}, 0x0000001000080040, 0x00000010000800c0, 1, 1, 1, 0, 0\n",
                       accumulators);
  };
  const std::string first = multiply("R24, R25, R26, R27"), second = multiply("R28, R29, R30, R31");
  std::string text =
      kernel_header(1, 4, "memory 0x1000 1024 zero\nshared 16384\nshared-memory 0x400 8192 fill 0x3c\n", "sm_90") + cta_line(0);
  for (unsigned warp = 0; warp < 4; ++warp) {
    text += warp_line(warp);
    for (const unsigned reg : {2U, 3U, 24U, 25U, 26U, 27U, 28U, 29U, 30U, 31U}) text += fmt::format("reg R{} 0x0\n", reg);
    text += "wgmma.fence.sync.aligned\n" + first + first + second +
            "wgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 0\n"
            "/*0200*/ [B------:R0:W-:-:S01] STG.E [R2], R24 @ " +
            fmt::format("{:#x}+4\n", 0x1000 + 256 * warp) + "/*0210*/ [B------:R0:W-:-:S01] STG.E [R2], R31 @ " +
            fmt::format("{:#x}+4\n", 0x1080 + 256 * warp) + "/*0220*/ [B0-----:R-:W-:-:S05] EXIT\n";
  }
  return text;
}

run_options options_with(unsigned takes_cycles) {
  run_options options;
  options.timing_of_preset = true;
  options.monitors = true;
  options.units.dot_products["late"] =
      late_dot_products::maker([takes_cycles] { return late_dot_products::manners{sc_core::sc_time(takes_cycles, sc_core::SC_NS)}; });
  return options;
}

trace::trace read_kernel() {
  std::istringstream text(multiplying_kernel());
  return trace::trace::read(text, "kernel");
}

std::array<std::uint8_t, 1024> sums_of(gpu& machine) {
  std::array<std::uint8_t, 1024> sums{};
  EXPECT_TRUE(machine.peek_global(0x1000, sums.data(), sums.size()));
  return sums;
}

TEST(late_dot_products, change_no_bit_and_no_cycle_if_they_are_in_time) {
  const trace::trace kernel = read_kernel();
  const run_options options = options_with(2);
  gpu own("own", preset("hopper", {"sms=1"}), {{"kernel", &kernel}}, options);
  gpu late("late", preset("hopper", {"sms=1", "units.dot_products=late"}), {{"kernel", &kernel}}, options);
  const accounting::run_result expected = own.run(), result = late.result();
  ASSERT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.cycles, expected.cycles);
  EXPECT_EQ(sums_of(late), sums_of(own));
  EXPECT_NE(sums_of(own)[3], 0) << "sums that would hide an error";
}

TEST(late_dot_products, that_are_not_are_an_error) {
  const trace::trace kernel = read_kernel();
  gpu late("late", preset("hopper", {"sms=1", "units.dot_products=late"}), {{"kernel", &kernel}}, options_with(1000));
  try {
    late.run();
    FAIL();
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), subcore::report::warpgroup_late);
  }
}

}  // namespace
}  // namespace tc::device::test::late_dot_products_test
