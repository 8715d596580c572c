// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/accounting/run_recorder.hpp>
#include <tc/fabric/link_tap.hpp>
#include <tc/fabric/reports.hpp>

#include "expect_assertion.hpp"
#include "tapping_binder.hpp"
#include "test_machine.hpp"
#include "unwound_stack.hpp"

// What holds in every run, whatever runs (docs/reliability.md, "Invariants"): machines in which something on a link breaks it.

namespace tc::device::test::invariants_test {
namespace {

enum class mistake { twice, never, kept };

/// Passes what it is to pass on twice or not at all, or keeps the payloads that have passed: holds a reference, or has them unanswered.
template <class Protocol>
class mistaken_tap final : public fabric::link_tap<Protocol> {
 public:
  using payload_type = typename Protocol::tlm_payload_type;

  mistaken_tap(const sc_core::sc_module_name& module_name, mistake made) : fabric::link_tap<Protocol>(module_name), made_(made) {}

 private:
  using tap = fabric::link_tap<Protocol>;

  tlm::tlm_sync_enum forward(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    if (made_ == mistake::never) return tlm::TLM_COMPLETED;
    if (made_ == mistake::twice) {
      tlm::tlm_phase same_phase = phase;
      sc_core::sc_time same_delay = delay;
      tap::forward(payload, same_phase, same_delay);
    }
    if constexpr (std::is_same_v<payload_type, tlm::tlm_generic_payload>)
      if (made_ == mistake::kept) payload.acquire();
    const tlm::tlm_sync_enum answer = tap::forward(payload, phase, delay);
    if constexpr (std::is_same_v<payload_type, links::bank_transfer> || std::is_same_v<payload_type, links::shared_memory_transfer>)
      if (made_ == mistake::kept) return tlm::TLM_ACCEPTED;
    return answer;
  }

  const mistake made_;
};

/// Puts one on each link of a kind.
class mistaken_binder final : public tapping_binder<mistaken_binder> {
 public:
  mistaken_binder(std::string link, mistake made) : link_(std::move(link)), made_(made) {}

 private:
  friend class tapping_binder<mistaken_binder>;

  template <class Protocol>
  std::unique_ptr<mistaken_tap<Protocol>> make_tap(const std::string& link, const links::link_initiator<Protocol>&,
                                                   const links::link_target<Protocol>&) const {
    if (link != link_) return nullptr;
    return std::make_unique<mistaken_tap<Protocol>>(sc_core::sc_gen_unique_name("mistaken"), made_);
  }

  const std::string link_;
  const mistake made_;
};

struct machine_case {
  const char *name, *link, *preset;
  std::string kernel;
  const char* assertion;  ///< what it says
};
void PrintTo(const machine_case& of, std::ostream* out) { *out << of.name; }

accounting::run_result run_with(const std::string& link, mistake made, const std::string& preset_name, const std::string& kernel) {
  mistaken_binder binder(link, made);
  run_options options;
  options.binder = &binder;
  test_machine machine(preset(preset_name, {"sms=1"}), {kernel}, options);
  EXPECT_NE(binder.taps(), 0U);
  return machine.run();
}

/// A warp adds, multiplies matrices and stores.
std::string working_kernel() {
  std::string text = kernel_header(1, 1, "memory 0x1000 128 zero\n") + cta_line(0) + warp_line(0);
  for (const int reg : {2, 3, 4, 5, 6, 8, 9, 10, 11}) text += "reg R" + std::to_string(reg) + " 0x0\n";
  return text +
         "/*0000*/ IADD3 R12, R4, R5, RZ\n/*0010*/ HMMA.1688.F32 R8, R4, R6, R8\n/*0020*/ STG.E.SYS [R2], R12 @ 0x1000+4\n"
         "/*0030*/ EXIT\n";
}

std::string warpgroup_kernel() {
  std::string text = kernel_header(1, 4, "shared 8192\nshared-memory 0x400 4096 fill 0\n", "sm_90") + cta_line(0);
  for (unsigned warp = 0; warp < 4; ++warp) {
    text += warp_line(warp);
    for (const int reg : {24, 25, 26, 27}) text += "reg R" + std::to_string(reg) + " 0x0\n";
    text +=
        "wgmma.fence.sync.aligned\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R24, R25, R26, R27}, "
        "0x0000001000080040, 0x00000010000800c0, 1, 1, 1, 0, 0\n"
        "wgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 0\n/*f000*/ EXIT\n";
  }
  return text;
}

class conservation : public testing::TestWithParam<machine_case> {};

TEST_P(conservation, ends_what_is_handed_on_twice) {
  const machine_case& of = GetParam();
  EXPECT_ASSERTION(run_with(of.link, mistake::twice, of.preset, of.kernel), of.assertion);
}

INSTANTIATE_TEST_SUITE_P(
    of, conservation,
    testing::Values(machine_case{"retirements", "retire", "turing", working_kernel(), "is_in_flight"},
                    machine_case{"results", "result", "turing", working_kernel(), "is_in_flight"},
                    machine_case{"collected_instructions", "issue", "collectors", working_kernel(), "unit != units_.end"},
                    machine_case{"issued_instructions", "issue", "turing", working_kernel(), "control_.occupied"},
                    machine_case{"dispatched_instructions", "dispatch", "turing", working_kernel(), "arrival >= input_free_"},
                    machine_case{"warpgroup_operands", "warpgroup_operands", "hopper", warpgroup_kernel(), "coming_.back"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(conservation_of_instructions, is_missed_where_one_does_not_come_back) {
  const accounting::run_result result = run_with("retire", mistake::never, "turing", working_kernel());
  EXPECT_EQ(result.status, accounting::run_status::stuck);
  EXPECT_FALSE(result.kernels.at(0).finished);
}

TEST(conservation_of_operands, is_missed_where_shared_memory_does_not_answer) {
  EXPECT_EQ(run_with("shared_memory", mistake::kept, "hopper", warpgroup_kernel()).status, accounting::run_status::stuck);
}

/// The type of the error that ends a run.
std::string error_of(const std::string& link, const std::string& preset_name, const std::string& kernel) {
  try {
    run_with(link, mistake::kept, preset_name, kernel);
  } catch (const sc_core::sc_report& report) {
    forget_unwound_stack();
    return report.get_msg_type();
  }
  return "";
}

struct pool_case {
  const char *name, *link, *preset;
  std::string kernel;
};
void PrintTo(const pool_case& of, std::ostream* out) { *out << of.name; }

class payload_pools : public testing::TestWithParam<pool_case> {};

TEST_P(payload_pools, are_empty_when_a_kernel_ends) {
  const pool_case& of = GetParam();
  EXPECT_EQ(error_of(of.link, of.preset, of.kernel), fabric::report::kernel_end);
}

INSTANTIATE_TEST_SUITE_P(of, payload_pools,
                         testing::Values(pool_case{"register_writes", "bank_write", "turing", working_kernel()},
                                         pool_case{"global_memory", "global_memory", "turing", working_kernel()}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(account_of_a_warp, has_a_cause_for_every_cycle) {
  fabric::clock_domain clock("clock", 1, sc_core::SC_NS);
  accounting::run_recorder recorder(clock);
  warp::warp_context warp;
  links::warp_accounting accounting;
  accounting.instructions = 2;
  accounting.started = 10;
  accounting.first_issue = 10;
  accounting.last_issue = 15;
  accounting.stalled[links::stall_cause::scoreboard] = 4;
  recorder.warp_finished(warp, accounting);
  links::warp_accounting missing = accounting, without_cause = accounting;
  missing.stalled[links::stall_cause::scoreboard] = 3;
  EXPECT_ASSERTION(recorder.warp_finished(warp, missing), "last_issue");
  without_cause.stalled[links::stall_cause::scoreboard] = 3;
  without_cause.stalled[links::stall_cause::none] = 1;
  EXPECT_ASSERTION(recorder.warp_finished(warp, without_cause), "stall_cause::none");
}

}  // namespace
}  // namespace tc::device::test::invariants_test
