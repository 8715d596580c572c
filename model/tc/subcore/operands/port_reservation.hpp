// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <tc/fabric/growing_queue.hpp>
#include <tc/links/warp_instruction.hpp>
#include <tc/subcore/operands/allocate_stage.hpp>
#include <tc/subcore/operands/operand_fetch.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// The vector registers that the last instructions of fixed latency have yet to write, and when they can be read.
class results_in_flight {
 public:
  /// The instruction has issued; its results can be read from this cycle on.
  void add(const links::warp_instruction& instruction, cycle_t readable);

  /// The cycle from which a register of a warp can be read; 0 if no instruction is about to write it.
  cycle_t readable(std::uint32_t warp_slot, unsigned index) const;

  /// Whether any register is waited for in this cycle; a quick question.
  bool any(cycle_t cycle) const { return cycle < latest_; }

 private:
  /// More than the presets need: at most one result a cycle, the longest latency 6. A result with so many behind it narrows no window.
  static constexpr std::size_t entries = 16;
  struct entry {
    cycle_t readable = 0;
    std::uint32_t warp_slot = 0;
    std::uint16_t first = 0, count = 0;
  };
  std::array<entry, entries> ring_{};
  std::size_t next_ = 0;
  cycle_t latest_ = 0;
};

/// Operand fetch without collectors (Huerta et al., arXiv 2503.20481, section 5.3): two cycles behind issue an instruction of fixed latency
/// reserves read ports for its registers in the cycles of its read window, and holds up all that follows until it has found them. Operands
/// arrive a fixed time after issue, in issue order: what is lost in between is charged to the instructions behind.
///
/// A matrix instruction asks only other matrix instructions for ports. With matrix_ports it also takes them from the instructions of
/// fixed latency, in cycles of its own: A, B and C each in a phase of as many cycles as A has registers for each bank, the registers of B
/// and C at the end of theirs, C's being two cycles longer than B's end; then those of its result. A and B are not read again if the warp's
/// last matrix instruction kept them with .reuse. Queued instructions read later, when the ports are free.
class port_reservation final : public operand_fetch {
 public:
  struct params {
    unsigned read_ports = 1;  ///< of a bank
    unsigned read_window_cycles = 3;
    cycle_t issue_to_dispatch_cycles = 6;
    cycle_t tensor_lead_cycles = 0;  ///< how much earlier a matrix instruction takes its operands
    bool matrix_ports = false;
    cycle_t matrix_write_cycles = 4,
            matrix_integer_write_cycles = 2;               ///< from the end of B's reads to the write port that the result takes
    cycle_t other_pipe_cycles = 0, guard_lead_cycles = 0;  ///< as in links::operand_timing
  };

  port_reservation(const sc_core::sc_module_name& name, const params& parameters, const surroundings& around);

  links::standstill standstill_at(cycle_t cycle) override;
  links::issue_forecast earliest_issue(const isa::instruction& code, const warp::warp_context& warp, cycle_t issue) override;
  void warp_launched(const warp::warp_context& warp) override;
  void tell(links::operand_observer* listener) override;
  void reset() override;
  links::operand_timing timing() const override {
    return {params_.issue_to_dispatch_cycles, params_.tensor_lead_cycles, false, late_,
            params_.other_pipe_cycles,        params_.guard_lead_cycles};
  }
  void evaluate(cycle_t cycle) override;

 private:
  static constexpr std::uint64_t no_changes = ~std::uint64_t{0};

  /// Matrix instructions that wait for the same: those whose plans are of one kind.
  struct matrix_kind {
    register_ports::spare_cycles spare{};  ///< of the reads
    // What it is called in forecasts. Others belong to it when the reuse cache has changed, so that it gets a new number then.
    std::uint64_t numbered_at = no_changes;  ///< reuse_cache::changes()
    std::uint32_t number = 0;
  };
  /// What stays the same about an instruction while the scheduler asks about it, again and again until it issues.
  struct question {
    const isa::instruction* code = nullptr;
    const links::dispatch_status* unit = nullptr;
    unsigned port = 0;         ///< of the unit
    cycle_t fetch_cycles = 0;  ///< from issue to the operands' arrival at the unit
    bool is_matrix = false, is_queued = false;

    // Of a matrix instruction.
    std::uint64_t cache_changes = no_changes;  ///< reuse_cache::changes() when the following was found out
    matrix_kind* kind = nullptr;
  };

  bool is_gathering() const override { return !in_order_.empty(); }
  bool hands_over_at_once() const override { return true; }
  void renew(question& asked, const isa::instruction& code);
  void find_kind(question& asked, std::uint32_t warp_slot);
  matrix_kind& kind_of(const operand_plan& plan) {
    return plan.kind < kinds_.size() && kinds_[plan.kind] != nullptr ? *kinds_[plan.kind] : add_kind(plan);
  }
  matrix_kind& add_kind(const operand_plan& plan);
  cycle_t wanted_dispatch(const question& asked, cycle_t issue_cycle) const {
    return issue_cycle + asked.fetch_cycles - (stage_.lost_cycles() - lost_before_[asked.port]);
  }
  links::availability unit_free(const question& asked, const warp::warp_context& warp, cycle_t issue) const;
  links::availability tensor_free(const question& asked, cycle_t issue) const;
  void accept(links::warp_instruction& instruction) override;
  void gathered(gathering& entry) override;
  /// Cycles from issue to the operands' arrival at the unit of an instruction.
  cycle_t dispatch_cycles(const isa::instruction& code) const { return timing().earliest_read(code); }
  const operand_plan& plan_of(const isa::instruction& code, std::uint32_t warp_slot);
  void take_ports(const links::warp_instruction& instruction, const operand_plan& plan);
  allocate_stage::demand demand_of(const links::warp_instruction& instruction, const operand_plan& plan) const;
  void note_result(const links::warp_instruction& instruction);
  void take_matrix_ports(const links::warp_instruction& instruction, const matrix_bookings& bookings);
  void tell_reads(const gathering& entry) const;
  bool is_kept(unsigned source, const links::warp_instruction& instruction);
  void put_in_order(gathering& entry);
  /// Nothing stands between the first in order and its reads.
  bool is_next_free() const { return !in_order_.empty() && !reading_ && !is_late_; }
  void serve();
  void follow_stages(cycle_t cycle);
  void leave(gathering& entry);

  static constexpr unsigned matrix_operands_kept = 2;  ///< A and B

  const params params_;
  const links::late_operands late_;
  register_ports ports_;
  allocate_stage stage_;
  results_in_flight results_;                             ///< in cycles in which the front end moved
  std::vector<question> questions_;                       ///< by warp slot: the last
  std::vector<std::unique_ptr<matrix_kind>> kinds_;       ///< by operand_plan::kind; null: it was not asked for
  std::uint32_t last_number_ = 0;                         ///< of a kind
  std::array<cycle_t, links::unit_ports> lost_before_{};  ///< by unit: cycles the stage had lost when the unit's last instruction issued
  reuse_cache kept_;                                      ///< whole operands of the last matrix instruction, which the tensor core keeps
  fabric::transfer_pool<gathering> entries_;
  fabric::growing_queue<gathering*> in_order_;  ///< of dispatch
  bool reading_ = false;                        ///< the first of in_order_ has sent its reads
  bool is_late_ = false;                        ///< the first of in_order_ has its values, and waits for an edge
  bool serving_ = false;                        ///< serve() is running
};

}  // namespace tc::subcore
