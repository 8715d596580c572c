// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include <tc/config/tensor_memory_parameters.hpp>
#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/fabric/transfer_pool.hpp>
#include <tc/links/asynchronous_interfaces.hpp>
#include <tc/links/bank_protocol.hpp>
#include <tc/links/run_observer.hpp>
#include <tc/links/warp_instruction.hpp>
#include <tc/subcore/operands/definedness.hpp>
#include <tc/subcore/operands/register_file.hpp>
#include <tc/subcore/tensor_memory/access_cells.hpp>

namespace tc::subcore {

/// The loads and stores of a sub-core's warps between registers and their chunk of tensor memory (tcgen05.ld and st), and the waits for
/// them. They go to the chunk in the order of their issue, each when its operands would be there, and any number may be under way; a store
/// reads its registers in that cycle. A load is done when the chunk says so, and its registers are written.
///
/// A warp that waits for loads goes on so early that what it issues next finds the registers when it is dispatched: the wait is that of a
/// scoreboard (measured on a B200, public SASS documentation project: it costs no instruction). One that waits for stores goes on when
/// these are complete.
class tensor_accesses final : public sc_core::sc_module, public fabric::resettable, public fabric::clocked {
 public:
  sc_core::sc_vector<links::bank_initiator<tensor_accesses>> accumulator;  ///< by register bank
  fabric::base_protocol_initiator chunk;                                   ///< of tensor memory, the lanes of the sub-core's warps
  sc_core::sc_port<links::tensor_memory_owners> owners{"owners"};
  sc_core::sc_port<links::tensor_memory_order, 1, sc_core::SC_ZERO_OR_MORE_BOUND> order{"order"};
  sc_core::sc_port<links::run_observer> observer{"observer"};

  struct params {
    config::tensor_admission_parameters admission{};
    unsigned warp_slots = 16;
    bool data = true;  ///< false: no values move, only time passes
  };

  /// Tells the owner that an instruction is done: its result is visible in a cycle to come.
  using done_callback = std::function<void(links::warp_instruction& instruction, cycle_t visible)>;

  /// `mapping` and `shadow` outlive it.
  tensor_accesses(const sc_core::sc_module_name& name, const params& parameters, const register_mapping& mapping, definedness& shadow,
                  fabric::clock_domain& clock, done_callback done);
  ~tensor_accesses() override;

  /// The first cycle, not before `wanted`, in which a load or store may be dispatched.
  cycle_t earliest_dispatch(cycle_t wanted) const;
  /// A load or store has issued, with a dispatch to come.
  void announce(links::warp_instruction& instruction);
  /// It is dispatched.
  void begin(links::warp_instruction& instruction);
  /// A warp waits for its loads, or stores; what it has issued before has been dispatched.
  void wait(links::warp_instruction& instruction);
  /// A warp has ended: nobody will wait for what it has accessed.
  void warp_ended(unsigned warp_slot);

  bool idle() const { return queue_.empty() && pool_.live() == 0 && registers_.live() == 0; }
  void reset() override;
  void collect(fabric::statistics_sink& sink) const;

 private:
  /// A load or store from its issue to its result.
  struct access {
    links::warp_instruction* instruction = nullptr;
    const isa::tensor_access_operation* operation = nullptr;
    register_rows rows;
    access_cells cells;
    bool is_dispatched = false;
    bool has_registers = false;  ///< of a store
    bool is_answered = false;    ///< by the chunk
    bool has_failed = false;
    unsigned outstanding = 0;  ///< transactions that have not been answered
    cycle_t complete = 0;
  };
  /// What a register bank is asked for.
  struct bank_access final : links::bank_transfer {
    access* owner = nullptr;
  };
  /// Those of a kind that a warp has issued.
  struct history {
    unsigned under_way = 0;                ///< of which nobody knows when they are complete
    cycle_t complete = 0;                  ///< when the others are
    std::vector<std::uint64_t> unsettled;  ///< numbers at `order`
  };
  struct warp_state {
    history loads, stores;
    links::warp_instruction* waiting = nullptr;
  };

  void evaluate(cycle_t cycle) override;

  access& new_access(links::warp_instruction& instruction);
  bool is_due(const access& next) const;
  void send_due();
  void send(access& next);
  std::string mistake_in(const isa::tensor_access_operation& operation, const warp::warp_context& warp, isa::tensor_access& found) const;
  void move_registers(access& owner, tlm::tlm_command command, cycle_t arrival);
  tlm::tlm_sync_enum bank_answered(links::bank_transfer& moved, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void bank_done(bank_access& moved);
  void registers_moved(access& owner);
  void report_undefined(const access& store);
  void load_registers(access& load);
  void answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void chunk_done(access& owner);
  void finish(access& done);
  void release(warp_state& state);
  void settle(history& accesses);
  void report(const char* type, const access& owner, const std::string& text) const;
  warp_state& state_of(const links::warp_instruction& instruction) { return warps_[instruction.warp->slot]; }
  history& history_of(const access& owner) {
    warp_state& state = state_of(*owner.instruction);
    return owner.operation->load ? state.loads : state.stores;
  }

  const params params_;
  const register_mapping& mapping_;
  definedness& shadow_;
  fabric::clock_domain& clock_;
  const std::size_t clocked_id_;
  const done_callback done_;
  fabric::payload_pool pool_;                     // for the chunk
  fabric::transfer_pool<bank_access> registers_;  // for the banks
  std::deque<access*> queue_;                     // not sent to the chunk, in order
  std::vector<access*> not_dispatched_;
  std::deque<cycle_t> admitted_;  // dispatches of the latest ones
  std::vector<warp_state> warps_;
  std::vector<std::unique_ptr<access>> accesses_;
  std::vector<access*> free_;
  std::uint64_t loads_ = 0, stores_ = 0, registers_read_ = 0, registers_written_ = 0;
};

}  // namespace tc::subcore
