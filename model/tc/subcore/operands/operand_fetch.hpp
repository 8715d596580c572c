// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/config/sub_core_parameters.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/fabric/transfer_pool.hpp>
#include <tc/links/bank_protocol.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/links/pipeline_observers.hpp>
#include <tc/links/run_observer.hpp>
#include <tc/links/unit_port.hpp>
#include <tc/subcore/operands/address_comparison.hpp>
#include <tc/subcore/operands/definedness.hpp>
#include <tc/subcore/operands/operand_plans.hpp>
#include <tc/subcore/operands/register_file.hpp>
#include <tc/subcore/operands/reuse_cache.hpp>
#include <tc/subcore/operands/side_registers.hpp>

namespace tc::subcore {

/// Between issue and the execution units: gathers operand values from the register banks, the reuse cache, constants and the registers
/// outside the banks, and dispatches. How instructions share the banks' read ports is up to the derived classes, the policies:
/// add_operand_fetch_policy() makes one known by a name.
class operand_fetch : public sc_core::sc_module,
                      public links::issue_status,
                      public fabric::clocked,
                      public fabric::statistics_source,
                      public fabric::resettable {
 public:
  sc_core::sc_vector<links::instruction_initiator<operand_fetch>> dispatch;  ///< by unit_port_set::socket()
  sc_core::sc_vector<links::bank_initiator<operand_fetch>> bank_read;        ///< by bank
  sc_core::sc_vector<sc_core::sc_port<links::dispatch_status>> unit_status;  ///< by unit_port_set::socket()
  sc_core::sc_port<links::run_observer> observer{"observer"};
  fabric::transfer_target<links::instruction_protocol> issue{"issue"};
  sc_core::sc_export<links::issue_status> status{"status"};

  /// What every policy needs of the sub-core around it, which outlives it.
  struct surroundings {
    const register_mapping& registers;
    side_registers& side;
    definedness& shadow;
    fabric::clock_domain& clock;
    config::reuse_cache_parameters reuse_cache{};
    bool tensor_exclusive = false;  ///< nothing is dispatched while the tensor unit takes operands
    links::late_operands late{};
    bool data = true;  ///< false: no values move, only time passes
    links::unit_port_set units{};
    std::shared_ptr<shared_operand_plans> plans{};  ///< null: nobody else has them
  };

  ~operand_fetch() override = default;

  void warp_launched(const warp::warp_context& warp) override;
  /// What a policy keeps is for it to reset; it calls this too.
  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

  /// During elaboration: who is told what happens here; null: nobody. A policy that books ports tells of them.
  virtual void tell(links::operand_observer* listener) { told_ = listener; }

  /// True if no instruction is on its way, and no payload in use.
  bool idle() const { return !is_gathering() && reads_.live() == 0; }

 protected:
  operand_fetch(const sc_core::sc_module_name& name, const surroundings& around);

  /// An instruction whose operands are being read.
  struct gathering {
    links::warp_instruction* instruction = nullptr;
    const operand_plan* plan = nullptr;
    unsigned socket = 0;  ///< of its unit
    unsigned reads_outstanding = 0;
    cycle_t values_valid = 0;  ///< last annotated arrival of the reads done so far
  };

  /// What a bank is asked for.
  struct bank_read_request final : links::bank_transfer {
    gathering* entry = nullptr;
  };

  virtual bool is_gathering() const = 0;
  /// Whether gathered() hands over operands which banks have answered in the call, before it returns.
  virtual bool hands_over_at_once() const { return false; }
  /// Takes an issued instruction; called with its payload while the scheduler issues it.
  virtual void accept(links::warp_instruction& instruction) = 0;
  /// All reads of an instruction have completed; the last data are valid in cycle `values_valid`.
  virtual void gathered(gathering& entry) = 0;

  /// Sends the bank reads of a plan, which arrive in this cycle. The entry must stay where it is until gathered() is called, which may be
  /// within this call.
  void read_banks(gathering& entry, cycle_t arrival);
  /// Copies operands that were read where they lie, before anything is written there.
  static void bring_operands(gathering& entry);
  /// Fills in everything that does not come from the banks, reports undefined values, and hands the operands to the unit.
  void dispatch_operands(gathering& entry);
  /// Announces an instruction whose operands will be at its unit in the cycle `dispatch`.
  void announce(gathering& entry);

  /// Matrix instructions have a reuse cache of their own: an entry outlives what the other pipes do in between [recorded on an H200].
  reuse_cache& cache_of(const isa::instruction& code) { return isa::is_mma(code.op) ? matrix_cache_ : cache_; }
  /// The instruction issues with this plan.
  void update_reuse_caches(const isa::instruction& code, unsigned warp_slot, const operand_plan& plan);
  /// Begins to gather the operands of an instruction.
  void start(gathering& entry, links::warp_instruction& instruction, const operand_plan& plan);

  /// Reports an error that a register bank has caused.
  void report(const char* type, const links::warp_instruction& instruction, const std::string& text);
  /// The first cycle, not before `cycle`, in which the unit of an instruction would take its operands.
  links::availability unit_availability(const isa::instruction& code, cycle_t cycle) {
    return unit_availability(status_of(code), code, cycle);
  }
  /// The same of a unit that is known.
  links::availability unit_availability(const links::dispatch_status& unit, const isa::instruction& code, cycle_t cycle) const {
    if (tensor_dispatch_ends_ <= cycle) return unit.earliest_dispatch(code, cycle);
    const links::availability after = unit.earliest_dispatch(code, tensor_dispatch_ends_);
    return after.cycle > tensor_dispatch_ends_ ? after : links::availability{tensor_dispatch_ends_, links::stall_cause::tensor_busy};
  }
  /// The status of an instruction's unit.
  const links::dispatch_status& status_of(const isa::instruction& code) const { return *unit_status[socket_of(code)].operator->(); }

  const bool data_;
  const register_mapping& mapping_;
  operand_plans plans_;
  fabric::clock_domain& clock_;
  const std::size_t clocked_id_;
  reuse_cache cache_, matrix_cache_;
  std::uint64_t instructions_ = 0, reuse_hits_ = 0, transactions_ = 0;
  std::array<std::uint64_t, operand_plan::max_banks> registers_read_{};  ///< by bank
  links::operand_observer* told_ = nullptr;

 private:
  tlm::tlm_sync_enum issued(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  bank_read_request& new_read(gathering& entry, cycle_t arrival);
  bool is_answered_at_once(bank_read_request& request, const operand_plan::bank_request& asked);
  tlm::tlm_sync_enum bank_answered(links::bank_transfer& read, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void note_answer(const bank_read_request& read);
  void move_reuse_values(links::warp_instruction& instruction, const operand_plan& plan);
  void fill_source(links::warp_instruction& instruction, unsigned s);
  address_terms terms_of(const links::warp_instruction& instruction, unsigned source, const register_set& registers) const;
  void find_copy_addresses(links::warp_instruction& instruction);
  void compare_addresses(const links::warp_instruction& instruction, const operand_plan& plan);
  void find_undefined(links::warp_instruction& instruction, const operand_plan& plan);
  void find_undefined_stored(links::warp_instruction& instruction, const isa::operand& stored);
  void report_undefined(const links::warp_instruction& instruction);
  void define_accumulators(const links::warp_instruction& instruction);

  /// Which socket leads to the unit of an instruction.
  unsigned socket_of(const isa::instruction& code) const { return units_.socket(links::port_of(code.op)); }

  const links::unit_port_set units_;
  const bool tensor_exclusive_;
  side_registers& side_;
  definedness& shadow_;
  fabric::transfer_pool<bank_read_request> reads_;
  cycle_t tensor_dispatch_ends_ = 0;  ///< if it is exclusive
};

}  // namespace tc::subcore
