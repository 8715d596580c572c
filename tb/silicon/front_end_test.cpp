// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/accounting/statistic_sum.hpp>
#include <tc/device/gpu.hpp>

#include "issue_log.hpp"
#include "recorded_run.hpp"

namespace front_end_test {

namespace {

using namespace tc;
using fabric::cycle_t;

/// A run of a trace of one warp. The machine stays, so that its statistics can be asked for.
class warp_run {
 public:
  warp_run(const std::string& text, const config::machine& machine, bool data) {
    std::istringstream stream(text);
    trace_ = trace::trace::read(stream, "test");
    auto options = silicon::preset_options();
    options.binder = &log_;
    options.data = data;
    gpu_ = std::make_unique<device::gpu>("gpu", machine, std::vector<device::kernel_source>{{"test", &*trace_}}, options);
    EXPECT_EQ(gpu_->run().status, accounting::run_status::finished);
  }

  /// Cycles in which instructions of a kind issued.
  std::vector<cycle_t> issued(const std::string& mnemonic) const { return log_.cycles(0, mnemonic); }

 private:
  std::optional<trace::trace> trace_;
  silicon::issue_log log_;
  std::unique_ptr<device::gpu> gpu_;
};

std::string header(const std::string& arch) {
  return "tcsim-trace 1\narch " + arch + "\nkernel test\ngrid 1 1 1\nblock 32 1 1\nconstant 0x3 0x0 4096 zero\ncta 0 0 0\nwarp 0\n";
}

/// Cycles from each constant load to the next, which waits for it.
std::vector<cycle_t> between(const std::vector<cycle_t>& issued) {
  std::vector<cycle_t> result;
  for (std::size_t i = 0; i + 1 < issued.size(); ++i) result.push_back(issued[i + 1] - issued[i]);
  return result;
}

/// Jia et al., arXiv 1804.06826, table 3.1: a V100's constants from L2, L1 and L1.5.
TEST(constant_cache, has_the_levels_of_a_v100) {
  std::ostringstream text;
  text << header("sm_70");
  unsigned pc = 0;
  for (const unsigned offset : {0x0U, 0x4U, 0x40U, 0x40U, 0x100U, 0x0U})
    text << fmt::format("/*{:04x}*/ [B0-----:R-:W0:-:S02] LDC R2, c[0x3][{:#x}]\n", 16 * pc++, offset);
  text << fmt::format("/*{:04x}*/ EXIT\n", 16 * pc);
  const warp_run run(text.str(), silicon::machine_of("volta"), false);
  EXPECT_EQ(between(run.issued("LDC")), (std::vector<cycle_t>{245, 27, 89, 27, 245}));
  EXPECT_EQ(accounting::statistic_sum("sub_core_0.constant", "l1_hits").sum(), 3U) << "with the last load";
  EXPECT_EQ(accounting::statistic_sum("sub_core_0.constant", "l15_hits").sum(), 1U);
  EXPECT_EQ(accounting::statistic_sum("sub_core_0.constant", "l15_misses").sum(), 2U);
}

/// Measured on an H200: 11 cycles for each further address, whatever line it lies in.
class constant_passes : public testing::TestWithParam<unsigned> {};

TEST_P(constant_passes, serve_one_address_each) {
  const unsigned addresses = GetParam();
  std::ostringstream text;
  text << header("sm_90") << "reg R2 {";
  for (unsigned lane = 0; lane < 32; ++lane) text << (lane == 0 ? "" : ", ") << fmt::format("{:#x}", 4 * (lane % addresses));
  text << "}\n/*0000*/ [B------:R-:W0:-:S02] LDC R4, c[0x3][R2]\n/*0010*/ [B0-----:R-:W0:-:S02] LDC R4, c[0x3][R2]\n/*0020*/ EXIT\n";
  const warp_run run(text.str(), silicon::machine_of("hopper"), true);
  EXPECT_EQ(between(run.issued("LDC")), std::vector<cycle_t>{25 + 11 * (addresses - 1)});
  EXPECT_EQ(accounting::statistic_sum("sub_core_0.constant", "passes").sum(), 2 * addresses);
}

INSTANTIATE_TEST_SUITE_P(of, constant_passes, testing::Values(1U, 2U, 8U, 32U));

/// A loop of `length` FFMA, run twice.
std::string straight_line(unsigned length) {
  std::ostringstream text;
  text << header("sm_90");
  for (unsigned round = 0; round < 2; ++round)
    for (unsigned i = 0; i < length; ++i) text << fmt::format("/*{:04x}*/ [B------:R-:W-:-:S01] FFMA R{}, R0, R1, RZ\n", 16 * i, 4 + i % 8);
  text << fmt::format("/*{:04x}*/ EXIT\n", 16 * length);
  return text.str();
}

struct kernel_size {
  unsigned instructions;
  double cycles_each;  ///< in the second round
};

std::ostream& operator<<(std::ostream& out, const kernel_size& size) { return out << size.instructions << " instructions"; }

/// Measured on an H200: FFMA in straight lines that fit the L0 cache, the L1 cache of the SM, and none.
class long_kernels : public testing::TestWithParam<kernel_size> {};

TEST_P(long_kernels, issue_as_fast_as_the_cache_that_holds_them) {
  const auto machine = silicon::machine_of("hopper", {"sm.sub_core.fetch.ideal=false"});
  const auto issued = warp_run(straight_line(GetParam().instructions), machine, false).issued("FFMA");
  const auto cycles = static_cast<double>(issued.back() - issued[GetParam().instructions]);
  EXPECT_NEAR(cycles / GetParam().instructions, GetParam().cycles_each, 0.05 * GetParam().cycles_each);
}

INSTANTIATE_TEST_SUITE_P(of, long_kernels, testing::Values(kernel_size{1024, 1.0}, kernel_size{4096, 2.04}, kernel_size{16384, 5.54}));

TEST(instruction_fetch, counts_the_lines_it_misses) {
  const auto machine = silicon::machine_of("hopper", {"sm.sub_core.fetch.ideal=false", "sm.sub_core.fetch.prefetch_lines=0"});
  const warp_run run(straight_line(64), machine, false);
  const auto issued = run.issued("FFMA");
  EXPECT_EQ(accounting::statistic_sum("instruction_fetch", "instructions").sum(), 129U);
  EXPECT_EQ(accounting::statistic_sum("instruction_fetch", "l0_misses").sum(), 9U)
      << "64 instructions in 8 lines, and the EXIT behind them";
  EXPECT_EQ(accounting::statistic_sum("instruction_fetch", "l1_misses").sum(), 9U);
  EXPECT_GT(issued[8] - issued[7], 44U) << "the next line comes from L2";
}

TEST(instruction_fetch, that_is_ideal_has_no_unit) {
  const warp_run run(straight_line(64), silicon::machine_of("hopper"), false);
  const auto issued = run.issued("FFMA");
  EXPECT_EQ(issued.back() - issued.front(), 127U);
  EXPECT_THROW(accounting::statistic_sum("instruction_fetch", "instructions"), std::out_of_range);
}

}  // namespace

}  // namespace front_end_test
