// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <tc/config/config_error.hpp>
#include <tc/subcore/operands/operand_fetch_policies.hpp>

#include "device/test_machine.hpp"

namespace toy_operand_fetch_test {

// An operand fetch of one's own: this file is all there is of it.

namespace {

using namespace tc;
using links::availability;
using subcore::cycle_t;

/// One instruction at a time, and of its registers one in each cycle.
class one_register_a_cycle final : public subcore::operand_fetch {
 public:
  one_register_a_cycle(const sc_core::sc_module_name& name, const surroundings& around, links::issue_wakeup& scheduler)
      : operand_fetch(name, around), scheduler_(scheduler) {}

  links::standstill standstill_at(cycle_t) override { return {}; }
  links::operand_timing timing() const override { return {1, 0, true}; }

  links::issue_forecast earliest_issue(const isa::instruction&, const warp::warp_context&, cycle_t issue_cycle) override {
    if (is_gathering()) return {{links::unknown_cycle, links::stall_cause::collector_full}};
    return {{std::max(issue_cycle, free_from_), links::stall_cause::collector_full}};
  }

  void evaluate(cycle_t cycle) override {
    if (!is_gathering() || cycle < complete_) return;
    const availability unit = unit_availability(entry_.instruction->code(), cycle);
    if (unit.cycle > cycle) return clock_.wake(clocked_id_, unit.cycle == links::unknown_cycle ? cycle + 1 : unit.cycle);
    entry_.instruction->dispatch = cycle;
    announce(entry_);
    dispatch_operands(entry_);
    entry_.instruction = nullptr;
    free_from_ = cycle + 1;
    scheduler_.ask_again(free_from_);
  }

 private:
  bool is_gathering() const override { return entry_.instruction != nullptr; }

  void accept(links::warp_instruction& instruction) override {
    start(entry_, instruction, plans_.of(instruction.code(), instruction.warp->slot, cache_));
    instruction.dispatch = instruction.operands_read = links::unknown_cycle;
    read_banks(entry_, clock_.cycle() + 1);
  }

  void gathered(gathering& entry) override {
    complete_ = std::max(entry.values_valid, entry.instruction->issued + 1 + entry.plan->registers_read);
    entry.instruction->operands_read = complete_;
    clock_.wake(clocked_id_, complete_);
  }

  links::issue_wakeup& scheduler_;
  gathering entry_{};
  cycle_t complete_ = 0, free_from_ = 0;
};

class toy_operand_fetch : public testing::Test {
 protected:
  toy_operand_fetch() {
    subcore::add_operand_fetch_policy("one_register_a_cycle", [](const char* name, const subcore::operand_fetch_site& site) {
      return std::make_unique<one_register_a_cycle>(name, site.around, site.scheduler);
    });
  }

  static config::machine machine_with(const std::string& policy) {
    return device::test::preset("turing", {"sm.sub_core.operand_fetch.policy=" + policy});
  }
};

TEST_F(toy_operand_fetch, computes_the_bits_of_a_recorded_kernel_in_cycles_of_its_own) {
  const auto folder = std::filesystem::path(TC_SOURCE_DIR) / "traces" / "sm_75.micro_f16_f16_m16n16k16";
  device::test::test_machine machine(folder / "kernel.trace", machine_with("one_register_a_cycle"));
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  ASSERT_EQ(result.kernels.at(0).expectations.size(), 1U);
  EXPECT_EQ(result.mismatches(), 0U);
  constexpr cycle_t with_port_reservation = 628;
  EXPECT_GT(result.cycles, with_port_reservation);
  device::test::expect_cycles_accounted(result);
}

TEST_F(toy_operand_fetch, takes_a_cycle_for_each_register) {
  std::string text = device::test::kernel_header(1, 1) + device::test::cta_line(0) + device::test::warp_line(0);
  text +=
      "/*0000*/ CS2R R20, SR_CLOCKLO\n"
      "/*0010*/ FFMA R10, R2, R4, R6\n"  // issue, three reads, dispatch
      "/*0020*/ FADD R11, R2, R4\n"      // one read less
      "/*0030*/ MOV R12, R2\n"           // two less
      "/*0040*/ CS2R R22, SR_CLOCKLO\n"
      "/*0050*/ EXIT\n";
  device::test::test_machine machine(machine_with("one_register_a_cycle"), {text});
  const accounting::run_result result = machine.run();
  ASSERT_EQ(result.clock_reads.size(), 2U);
  EXPECT_EQ(result.clock_reads[1].cycle - result.clock_reads[0].cycle, 2U + 5 + 4 + 3);
}

TEST_F(toy_operand_fetch, needs_a_name_of_its_own) {
  EXPECT_THROW(subcore::add_operand_fetch_policy("collectors", {}), std::invalid_argument);
}

TEST_F(toy_operand_fetch, is_listed_where_a_name_is_unknown) {
  try {
    device::test::test_machine machine(machine_with("none_such"), {device::test::kernel_header(1, 1) + device::test::cta_line(0) +
                                                                   device::test::warp_line(0) + "/*0000*/ EXIT\n"});
    FAIL() << "built";
  } catch (const config::config_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "sm.sub_core.operand_fetch.policy: \"none_such\" is not one of automatic, collectors, one_register_a_cycle, "
              "port_reservation");
  }
}

}  // namespace

}  // namespace toy_operand_fetch_test
