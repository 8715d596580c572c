#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "issue_log.hpp"
#include "recorded_run.hpp"

namespace {

using namespace tc;
using fabric::cycle_t;

/// A chain of loads, each of which takes its address from the one before; what separates them is a dependence counter.
class pointer_chase {
 public:
  /// The addresses in order.
  pointer_chase(std::string load, const std::vector<std::uint64_t>& addresses) : load_(std::move(load)) {
    std::vector<std::string> lines;
    for (const std::uint64_t address : addresses) add(lines, address);
    warps_.push_back(lines);
  }

  /// Cycles from each load to the next, on a machine.
  std::vector<cycle_t> run(const std::string& arch, const config::machine& machine) {
    trace_ = silicon::make_trace(arch, warps_);
    auto options = silicon::preset_options();
    options.binder = &log_;
    options.data = false;
    gpu_ = std::make_unique<device::gpu>("gpu", machine, std::vector<device::kernel_source>{{"chase", &*trace_}}, options);
    EXPECT_EQ(gpu_->run().status, device::run_status::finished);
    const auto issued = log_.cycles(0, "LDG");
    std::vector<cycle_t> between;
    for (std::size_t i = 0; i + 1 < issued.size(); ++i) between.push_back(issued[i + 1] - issued[i]);
    return between;
  }

 private:
  void add(std::vector<std::string>& lines, std::uint64_t address) const {
    lines.push_back(fmt::format("[B0-----:R-:W0:-:S02] {} @ {:#x}", load_, address));
  }

  std::string load_;
  std::vector<std::vector<std::string>> warps_;
  std::optional<trace::trace> trace_;
  silicon::issue_log log_;
  std::unique_ptr<device::gpu> gpu_;  // stays, so that its statistics can be asked for
};

constexpr std::uint64_t kib = 1024, mib = 1024 * kib, base = 0x10000000;

/// Jia et al., arXiv 1804.06826, table 3.1 and figure 3.2: a V100's L1 hit, L2 hit, L2 miss, and first touch of a page.
class v100_levels : public testing::TestWithParam<const char*> {};

TEST_P(v100_levels, are_those_of_the_study) {
  pointer_chase chase(GetParam(), {base, base, base + 64, base + 64, base + 32, base + 32, base + 32 * mib, base});
  EXPECT_EQ(chase.run("sm_70", silicon::machine_of("volta")), (std::vector<cycle_t>{1029, 28, 375, 28, 193, 28, 1029}));
}

INSTANTIATE_TEST_SUITE_P(of, v100_levels, testing::Values("LDG.E.SYS R2, [R2]", "LDG.E.64.SYS R2, [R2]"));

/// A ring of lines twice as large as the L1 cache: in the second round it has none of them, the L2 cache all.
TEST(v100, chase_beyond_the_l1_cache_hits_the_l2_cache) {
  std::vector<std::uint64_t> addresses;
  for (unsigned round = 0; round < 2; ++round)
    for (std::uint64_t line = 0; line < 64 * kib / 128; ++line) addresses.push_back(base + 128 * line);
  pointer_chase chase("LDG.E.64.SYS R2, [R2]", addresses);
  const auto cycles = chase.run("sm_70", silicon::machine_of("volta"));
  const std::size_t lines = 64 * kib / 128;
  EXPECT_EQ(cycles.front(), 1029U);
  EXPECT_EQ(std::vector<cycle_t>(cycles.begin() + 1, cycles.begin() + lines), std::vector<cycle_t>(lines - 1, 375));
  EXPECT_EQ(std::vector<cycle_t>(cycles.begin() + lines, cycles.end()), std::vector<cycle_t>(lines - 1, 193));
  EXPECT_EQ(silicon::statistic_sum("global_memory", "l1_hits"), 0U);
  EXPECT_EQ(silicon::statistic_sum("global_memory", "l2_hits"), lines);
  EXPECT_EQ(silicon::statistic_sum("global_memory", "translation_misses"), 1U);
}

TEST(v100, without_the_hierarchy_takes_one_latency) {
  pointer_chase chase("LDG.E.64.SYS R2, [R2]", {base, base, base + 64, base + 32 * mib});
  EXPECT_EQ(chase.run("sm_70", silicon::machine_of("volta", {"global_memory.hierarchy.enabled=false"})), std::vector<cycle_t>(3, 193));
}

/// Measured on an H200: 34 cycles for a chase of 64-bit pointers, which leave in two registers.
TEST(h200, loads_of_wide_words_return_their_registers_one_after_the_other) {
  pointer_chase chase("LDG.E.64 R2, [R2.64]", {base, base, base});
  EXPECT_EQ(chase.run("sm_90", silicon::machine_of("hopper"))[1], 34U);
}

TEST(h200, strong_loads_go_past_the_l1_cache) {
  pointer_chase chase("LDG.E.STRONG.GPU R2, [R2.64]", {base, base, base});
  EXPECT_EQ(chase.run("sm_90", silicon::machine_of("hopper"))[1], 307U);
}

}  // namespace
