// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/subcore/operands/operand_fetch.hpp>

namespace tc::subcore {

/// The classical operand collector: an issued instruction occupies a collector unit while its registers arrive, each bank serving requests
/// in the order of their arrival, and until its execution unit takes it. Instructions may overtake each other here, except those that
/// access memory.
class operand_collector final : public operand_fetch {
 public:
  sc_core::sc_port<links::issue_wakeup> scheduler{"scheduler"};

  struct params {
    unsigned units = 2;                    ///< each holds the operands of one instruction
    cycle_t issue_to_dispatch_cycles = 6;  ///< of control instructions, which have no operands to gather
  };

  operand_collector(const sc_core::sc_module_name& name, const params& parameters, const surroundings& around);

  links::standstill standstill_at(cycle_t) override { return {}; }
  links::operand_timing timing() const override;
  links::issue_forecast earliest_issue(const isa::instruction& code, const warp::warp_context& warp, cycle_t issue) override;
  void evaluate(cycle_t cycle) override;
  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  /// A collector unit. Its entry is free when it has no instruction.
  struct collector_unit {
    gathering entry{};
    bool complete = false;    ///< all reads have completed
    cycle_t free_from = 0;    ///< first cycle in which it can take an instruction
    std::uint64_t order = 0;  ///< of allocation: older instructions dispatch first
  };

  bool is_gathering() const override { return occupied_ > 0; }
  void accept(links::warp_instruction& instruction) override;
  void gathered(gathering& entry) override;
  collector_unit* oldest_ready(cycle_t cycle, std::uint64_t after);
  links::stall_cause cause_of_full_units(cycle_t cycle);
  links::stall_cause missing_place(const isa::instruction& code, const warp::warp_context& warp) const;
  bool must_wait_for_order(const collector_unit& unit) const;
  void dispatch_unit(collector_unit& unit, cycle_t cycle);

  const params params_;
  std::vector<collector_unit> units_;
  std::uint64_t order_ = 0;
  unsigned occupied_ = 0;
  std::uint64_t gather_cycles_ = 0, dispatch_waits_ = 0;
};

}  // namespace tc::subcore
