// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include <tc/config/jitter_parameters.hpp>
#include <tc/config/sub_core_parameters.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/cycle_account.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/links/pipeline_observers.hpp>
#include <tc/links/result_source.hpp>
#include <tc/links/run_observer.hpp>
#include <tc/links/warp_control.hpp>
#include <tc/subcore/issue/asynchronous_registers.hpp>
#include <tc/subcore/issue/instruction_fetch.hpp>
#include <tc/subcore/issue/least_latencies.hpp>
#include <tc/subcore/issue/scoreboard.hpp>
#include <tc/subcore/issue/warp_selection.hpp>
#include <tc/subcore/issue/warp_slot.hpp>
#include <tc/subcore/issue/warp_start.hpp>

namespace tc::subcore {

/// The warp scheduler of a sub-core: one instruction a cycle. A warp can issue when its stall count has run out, the dependence counters of
/// the wait mask are zero, no barrier holds it, the scoreboard agrees, and the operand fetch has room. Which of several such warps
/// does is the matter of warp_selection.
class warp_scheduler final : public sc_core::sc_module,
                             public links::warp_control,
                             public links::issue_wakeup,
                             public fabric::clocked,
                             public fabric::statistics_source,
                             public fabric::resettable {
 public:
  links::instruction_initiator<warp_scheduler> issue{"issue"};
  sc_core::sc_port<links::issue_status> fetch_status{"fetch_status"};
  sc_core::sc_port<links::instruction_stream> stream{"stream"};
  sc_core::sc_port<links::warp_supervisor> supervisor{"supervisor"};
  sc_core::sc_port<links::run_observer> observer{"observer"};
  fabric::transfer_target<links::instruction_protocol> retire{"retire"};
  sc_core::sc_export<links::warp_control> control{"control"};

  struct params {
    config::issue_parameters issue{};
    config::branch_parameters branch{};
    instruction_fetch* fetch = nullptr;  ///< null: every instruction is there when the one before it issues
    bool interlock = true;               ///< the scoreboard holds back instructions with a control code too
    unsigned warp_slots = 16;
    least_latencies latencies{};  ///< of the units
    config::jitter_parameters jitter{};
  };

  warp_scheduler(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock);
  ~warp_scheduler() override;

  /// Tells somebody, who outlives the run, what is decided here; null: nobody. Before simulation starts.
  void tell(links::issue_observer* listener) { told_ = listener; }

  void launch(const warp::warp_context& warp, cycle_t first) override;
  void open_barrier(std::uint32_t slot, cycle_t cycle) override;
  void end_warps() override;
  void ask_again(cycle_t cycle) override;
  void answers_changed() override;

  void evaluate(cycle_t cycle) override;

  /// What a warp that has not exited waits for, for people: "warp 3 of CTA 0 at /*0130*/ BAR.SYNC 0x0: waits at the barrier". Empty for a
  /// free slot.
  std::string describe(std::uint32_t slot) const { return subcore::describe(slots_[slot]); }
  /// Where the cycles of the warp in a slot went, up to its exit or to now.
  const links::warp_accounting& accounting(std::uint32_t slot) const { return slots_[slot].accounting; }
  /// What became of the cycles between the first launch and the last exit. Units of the sub-core may know of it.
  links::issue_slot_account& issue_slots() { return issue_slots_; }
  unsigned warp_slots() const { return static_cast<unsigned>(slots_.size()); }
  bool idle() const;

  /// A kernel begins: it is no warp's turn.
  void begin_kernel() { selection_.reset(); }
  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  void end_of_elaboration() override;
  tlm::tlm_sync_enum retired(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  /// What the operand fetch has told ahead of instructions of a kind.
  struct kind_forecast {
    links::issue_forecast forecast{};
    std::uint64_t at = 0;  ///< instructions that had issued then
  };

  std::unique_ptr<scoreboard> make_scoreboard() const {
    return std::make_unique<scoreboard>(operands_, params_.warp_slots, params_.latencies);
  }
  links::availability look_at(warp_slot& slot, cycle_t cycle);
  links::result_source awaited_source(const warp_slot& slot, cycle_t cycle) const;
  /// Of the kind of an instruction, or of one whose forecasts go to the same place.
  kind_forecast& forecast_for(std::uint32_t kind) { return forecasts_[kind % forecasts_.size()]; }
  bool holds(const kind_forecast& known, const warp_slot& slot) const {
    return known.forecast.kind == slot.kind && known.at == issued_ && slot.kind != 0;
  }
  std::size_t look_at_due_warps(cycle_t cycle);
  std::size_t pass_over_others(cycle_t cycle);
  links::stall_cause cause_of_empty_slots(std::size_t chosen, std::size_t first) const;
  void tell_waits(std::size_t chosen, cycle_t cycle);
  void issue_from(warp_slot& slot, cycle_t cycle);
  void send(warp_slot& slot, links::warp_instruction& instruction);
  void finish_in_scheduler(warp_slot& slot, cycle_t cycle);
  void apply_control(warp_slot& slot, const links::warp_instruction& instruction);
  void check_asynchronous(const links::warp_instruction& instruction);
  dependence_counter& increment(warp_slot& slot, unsigned counter, const isa::instruction& code, cycle_t cycle);
  void hold_counter(const links::warp_instruction& instruction, unsigned counter, cycle_t released);
  bool take_next(warp_slot& slot, cycle_t cycle);
  bool take_behind(warp_slot& slot, cycle_t cycle);
  void advance(warp_slot& slot, cycle_t cycle);
  void end_candidate(std::size_t slot);
  void tell_exit(const warp_slot& slot);
  void drain(warp_slot& slot);
  void charge(warp_slot& slot, cycle_t cycle);
  void charge_issue_slot(cycle_t cycle);
  void release_held(warp_slot& slot, const isa::instruction& code, cycle_t visible);
  void wake_for(const warp_slot& slot, cycle_t cycle);
  std::size_t number_of(const warp_slot& slot) const { return static_cast<std::size_t>(&slot - slots_.data()); }
  links::warp_instruction& new_instruction(const warp_slot& slot, cycle_t cycle);
  bool is_in_flight(const links::warp_instruction& instruction) const;
  /// Whether each instruction that was issued has come back.
  bool has_retired_all() const;

  const params params_;
  links::issue_observer* told_ = nullptr;
  fabric::clock_domain& clock_;
  const std::size_t clocked_id_;
  links::operand_timing operands_{};        ///< of the operand fetch, from the end of elaboration on
  std::unique_ptr<scoreboard> scoreboard_;  ///< for it
  std::vector<warp_slot> slots_;
  std::vector<cycle_t> asleep_until_;    ///< by slot: the warp need not be looked at before; unknown_cycle of one that cannot issue
  std::vector<std::size_t> candidates_;  ///< slots of warps that have something left to issue, in order
  std::vector<std::size_t> ready_;       ///< the slots that could issue in the running cycle, in order
  std::vector<asynchronous_registers> asynchronous_;  ///< by slot; of warps whose kernel has such instructions
  std::vector<std::unique_ptr<links::warp_instruction>> instructions_;
  std::vector<links::warp_instruction*> free_instructions_;
  warp_selection selection_;
  warp_start starts_;
  links::standstill standstill_{};  ///< of the running cycle
  /// Kinds that are there together have numbers that follow each other, as the four steps of HMMA.884. Of more than have a place, the last.
  std::array<kind_forecast, 8> forecasts_{};
  std::uint64_t issued_ = 0, retired_ = 0;

  links::issue_slot_account issue_slots_;
  links::source_cycles awaited_{};  ///< cycles of the warps that waited for results
  bool counting_ = false;           ///< slots count: a warp has been launched
  cycle_t slot_accounted_ = 0;
  links::stall_cause slot_cause_ = links::stall_cause::no_warp;
};

}  // namespace tc::subcore
