// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/config_error.hpp>
#include <tc/subcore/issue/warp_policy.hpp>

#include "device/test_machine.hpp"

namespace toy_warp_policy_test {

// A choice of warps of one's own: this file is all there is of it.

namespace {

using namespace tc;
using subcore::cycle_t;

/// The warp with the fewest issues so far, and of those the one in the highest slot.
class fewest_issues final : public subcore::warp_policy {
 public:
  std::size_t choose(const subcore::warp_candidates& candidates, cycle_t) override {
    std::size_t chosen = candidates[0].slot();
    for (const subcore::warp_candidate candidate : candidates)
      if (issues_of(candidate.slot()) <= issues_of(chosen)) chosen = candidate.slot();
    return chosen;
  }
  void issued(std::size_t slot, const isa::instruction&, cycle_t) override { ++issues_of(slot); }
  void reset() override { issues_.clear(); }

 private:
  unsigned& issues_of(std::size_t slot) {
    if (issues_.size() <= slot) issues_.resize(slot + 1);
    return issues_[slot];
  }

  std::vector<unsigned> issues_;
};

class toy_warp_policy : public testing::Test {
 protected:
  toy_warp_policy() {
    subcore::add_warp_policy("fewest_issues", [](const config::issue_parameters&) { return std::make_unique<fewest_issues>(); });
  }

  static config::machine machine_with(const std::string& policy) {
    return device::test::preset("turing", {"sm.sub_cores=1", "sm.sub_core.fetch.ideal=true", "sm.sub_core.issue.policy=" + policy});
  }

  /// Two warps that could issue in every cycle. The clock reads tell which does.
  static std::string text() {
    std::string text = device::test::kernel_header(1, 2) + device::test::cta_line(0);
    for (unsigned warp = 0; warp < 2; ++warp) {
      text += device::test::warp_line(warp) + "/*0000*/ NOP\n/*0010*/ NOP\n/*0020*/ NOP\n/*0030*/ CS2R R20, SR_CLOCKLO\n/*0040*/ EXIT\n";
    }
    return text;
  }

  static cycle_t cycles_between_reads(const std::string& policy) {
    device::test::test_machine machine(machine_with(policy), {text()});
    const accounting::run_result result = machine.run();
    device::test::expect_cycles_accounted(result);
    const cycle_t first = result.clock_reads.at(0).cycle, second = result.clock_reads.at(1).cycle;
    return first < second ? second - first : first - second;
  }
};

TEST_F(toy_warp_policy, gives_warps_turns_of_their_own) {
  EXPECT_EQ(cycles_between_reads("fewest_issues"), 2U) << "they take turns, and a clock read keeps its pipe for two cycles";
}

TEST_F(toy_warp_policy, stands_beside_those_of_the_model) { EXPECT_GE(cycles_between_reads("greedy_then_youngest"), 4U); }

TEST_F(toy_warp_policy, needs_a_name_of_its_own) { EXPECT_THROW(subcore::add_warp_policy("loose_round_robin", {}), std::invalid_argument); }

TEST_F(toy_warp_policy, is_listed_where_a_name_is_unknown) {
  try {
    device::test::test_machine machine(machine_with("none_such"), {text()});
    FAIL() << "built";
  } catch (const config::config_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "sm.sub_core.issue.policy: \"none_such\" is not one of fewest_issues, greedy_then_oldest, greedy_then_youngest, "
              "loose_round_robin");
  }
}

}  // namespace

}  // namespace toy_warp_policy_test
