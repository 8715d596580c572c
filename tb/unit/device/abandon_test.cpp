// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <tc/config/json_text.hpp>
#include <tc/device/streaming_multiprocessor.hpp>
#include <tc/observe/statistics_json.hpp>

#include "memory_stand_ins.hpp"
#include "submitted_kernels.hpp"
#include "victim_kernels.hpp"

// Kernels that are abandoned at any moment: everything ends, and after a reset the next kernel is exact, and takes the cycles and counts
// what it does on a new machine.

namespace tc::device::test::abandon_test {
namespace {

struct victim {
  const char *name, *preset;
  std::string (*text)();
};

/// Abandons a kernel at moments drawn at random; with sanitizers, which have seen enough sooner, at fewer of them (TC_RARER_RESETS).
class abandoning {
 public:
  abandoning(const victim& of, const run_options& options = {})
      : machine_(preset(of.preset, {"sms=2"}), options), trace_(shared_trace(of.text())) {
    machine_.device.submit(trace_, "on a new machine");
    const accounting::ended_kernel& first = run();
    expect_exact(first);
    cycles_ = first.result.cycles;
    statistics_ = observe::collected_statistics();
  }

  void repeat(unsigned times, bool same_cycles = true) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> moment(0, 1.1 * static_cast<double>(cycles_));
    unsigned abandoned = 0;
    for (unsigned i = 0; i < times && !testing::Test::HasFailure(); ++i) {
      machine_.device.reset();
      machine_.device.submit(trace_, "abandoned");
      const double after = moment(random);
      machine_.run_for(i % 2 == 0 ? after : static_cast<double>(static_cast<unsigned>(after)));
      if (!machine_.device.idle()) ++abandoned;
      machine_.device.abandon();
      const bool ended = run().outcome == accounting::kernel_outcome::finished;
      expect_idle();
      EXPECT_EQ(machine_.ended.back().result.kernels[0].expectations.empty(), !ended);
      if (i % 3 != 0) machine_.device.reset();
      machine_.device.submit(trace_, "after it");
      const accounting::ended_kernel& next = run();
      expect_exact(next);
      if (same_cycles && i % 3 != 0) {
        EXPECT_EQ(next.result.cycles, cycles_) << "abandoned after " << after << " cycles";
        if (i % 8 == 1) expect_statistics_of_new_machine();  // seldom, as it takes time
      }
      expect_idle();
      machine_.ended.clear();
    }
    EXPECT_GT(abandoned, times / 2);
  }

 private:
  const accounting::ended_kernel& run() {
    if (!machine_.device.idle()) sc_core::sc_start();
    return machine_.ended.back();
  }

  void expect_idle() {
    EXPECT_TRUE(machine_.device.idle());
    for (unsigned sm = 0; sm < machine_.device.sms(); ++sm) {
      EXPECT_TRUE(machine_.device.sm(sm).idle());
      EXPECT_EQ(machine_.device.sm(sm).occupancy().resident(), 0U);
    }
  }

  void expect_statistics_of_new_machine() const {
    const boost::json::object now = observe::collected_statistics();
    ASSERT_EQ(now.size(), statistics_.size());
    for (const auto& [unit, values] : statistics_)
      EXPECT_EQ(config::compact_text(now.at(unit)), config::compact_text(values)) << std::string_view(unit);
  }

  static void expect_exact(const accounting::ended_kernel& kernel) {
    EXPECT_EQ(kernel.outcome, accounting::kernel_outcome::finished) << kernel.fault_text;
    EXPECT_FALSE(kernel.result.kernels[0].expectations.empty());
    EXPECT_EQ(kernel.result.mismatches(), 0U);
    expect_cycles_accounted(kernel.result);
  }

  submitting_machine machine_;
  std::shared_ptr<const trace::trace> trace_;
  cycle_t cycles_ = 0;
  boost::json::object statistics_;  // as it leaves them on a new machine
};

class abandoned_kernel : public testing::TestWithParam<victim> {};

TEST_P(abandoned_kernel, leaves_nothing_whenever_that_happens) { abandoning(GetParam()).repeat(334 / TC_RARER_RESETS); }

TEST_P(abandoned_kernel, leaves_nothing_with_a_memory_that_answers_late_and_in_any_order) {
  stand_ins::random_memory::params late;
  late.ports = std::string(GetParam().preset) == "turing" ? 9 : 11;  // of two SMs, and the probe
  late.max_delay_ns = 100;
  const random_global_memory memory(late);
  abandoning(GetParam(), memory.options()).repeat(60 / TC_RARER_RESETS, false);
}

INSTANTIATE_TEST_SUITE_P(victim, abandoned_kernel,
                         testing::Values(victim{"register_mma", "turing", victims::register_kernel},
                                         victim{"wgmma_and_bulk_copies", "hopper", victims::warpgroup_kernel},
                                         victim{"tcgen05_pairs", "blackwell", victims::tensor_kernel}),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(abandoned_kernels, that_wait_never_begin) {
  submitting_machine machine(preset("turing"));
  const auto trace = shared_trace(victims::register_kernel());
  for (unsigned i = 0; i < 3; ++i) machine.device.submit(trace, "waiting");
  machine.run_for(20);
  machine.device.abandon();
  machine.device.submit(trace, "after it");
  sc_core::sc_start();
  ASSERT_EQ(machine.ended.size(), 4U);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(machine.ended[i].outcome, accounting::kernel_outcome::abandoned);
  EXPECT_EQ(machine.ended[1].result.cycles, 0U);
  EXPECT_EQ(machine.ended[3].outcome, accounting::kernel_outcome::finished);
  EXPECT_EQ(machine.ended[3].result.mismatches(), 0U);
  EXPECT_EQ(machine.idle, 1U);
}

}  // namespace
}  // namespace tc::device::test::abandon_test
