// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <systemc>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/growing_queue.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/cycle_account.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/links/link_binder.hpp>
#include <tc/links/tensor_core_links.hpp>
#include <tc/links/tensor_core_turns.hpp>
#include <tc/links/unit_makers.hpp>
#include <tc/subcore/tensor/b_buffer.hpp>
#include <tc/subcore/tensor/b_buffer_layout.hpp>
#include <tc/subcore/tensor/operand_signs.hpp>
#include <tc/subcore/tensor/tensor_core.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>
#include <tc/subcore/tensor/tensor_timing.hpp>

namespace tc::subcore {

/// The tensor unit of a sub-core: sequencer, operand buses and result assembly around the tensor cores and their B buffers.
///
///   dispatch -> operand buses -- fill: A, C ---------------> tensor cores -- products --> result assembly -> result
///                             -- b_fill --> B buffer -- b_read --^  |
///                                                                   + -- dot_products --> dot-product units
///
/// An instruction takes one transaction on each of these links, per tensor core or B buffer. With the buffers of this room all of them
/// happen in the call that brings the operands, each with the delay to its own cycle; B buffers and dot-product units of others may answer
/// later. Where no one but the units of this room is on a link, not even to listen, all of this comes to the same values, times and
/// counters without transactions, which would be most of the work.
class tensor_pipe final : public sc_core::sc_module,
                          public fabric::statistics_source,
                          public fabric::resettable,
                          private links::dispatch_status,
                          private links::tensor_core_turns {
 public:
  links::instruction_target<tensor_pipe> dispatch{"dispatch"};
  sc_core::sc_export<links::dispatch_status> status{"status"};
  links::instruction_initiator<tensor_pipe> result{"result"};
  /// For those who multiply in the tensor cores beside the instructions that come here; the port is for a scheduler that keeps answers.
  sc_core::sc_export<links::tensor_core_turns> turns{"turns"};
  sc_core::sc_port<links::issue_wakeup, 1, sc_core::SC_ZERO_OR_MORE_BOUND> scheduler{"scheduler"};

  /// Without `data` no value is moved or computed; time and statistics are the same. Instructions that come here are operations for which
  /// unsupported_reason() is empty; others throw std::invalid_argument. `slots`, of the sub-core's scheduler, outlives it. The place
  /// in `units` is that of the sub-core.
  tensor_pipe(const sc_core::sc_module_name& module_name, const config::tensor_core_parameters& parameters, bool data,
              fabric::clock_domain& clock, links::link_binder& binder, links::issue_slot_account* slots = nullptr,
              const links::unit_source& units = {});
  ~tensor_pipe() override;

  /// True if no payload is in use.
  bool idle() const {
    return payloads_.live() == 0 &&
           std::all_of(tensor_cores_.begin(), tensor_cores_.end(), [](const tensor_core& core) { return core.idle(); });
  }

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  /// An instruction from the arrival of its operands to its result.
  struct job {
    links::warp_instruction* instruction = nullptr;
    const tensor_operation* operation = nullptr;
    links::tensor_schedule schedule{};
    sc_core::sc_time b_time;            ///< when the last of B is in its buffer
    unsigned products_outstanding = 0;  ///< tensor cores
    links::b_words b{};                 ///< on the way to the B buffers
  };

  /// An instruction between its reservation and the arrival of its operands.
  struct reservation {
    counted_operation* counted;
    links::tensor_schedule schedule;
  };

  links::availability earliest_dispatch(const isa::instruction& code, cycle_t dispatch) const override;
  cycle_t free_from() const override { return timing_.units_free_from(); }
  cycle_t let_waiting_pass(cycle_t waited_cycles) override;
  void give_precedence(bool to_others) override;
  void hold_back_warps() override;
  void take(cycle_t begin, cycle_t end) override;

  void end_of_elaboration() override;
  void wait_for_turn(const tensor_demand& demand) const;
  links::availability earliest_between_others(const tensor_demand& demand, cycle_t dispatch) const;

  tlm::tlm_sync_enum dispatched(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void reserve(links::warp_instruction& instruction);
  void begin(links::warp_instruction& instruction);
  void run_directly(links::warp_instruction& instruction);
  bool passes_tiles(const tensor_operation& operation, const links::tensor_schedule& schedule);

  bool is_taken(unsigned b_tile) const;
  unsigned take_place();

  void fill_b(job& filling);
  void b_filled(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void fill_fragments(const job& filling);
  void set_operands(const links::warp_instruction& instruction, const tensor_operation& operation);
  tlm::tlm_sync_enum products_arrived(int tensor_core, links::fragment_transfer& products, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void finish(job& done, const sc_core::sc_time& products_arrival);
  void give_back(links::warp_instruction& instruction, const sc_core::sc_time& ready);
  template <class Visit>
  void for_each_link(const Visit& visit);

  const config::tensor_core_parameters params_;
  const b_buffer_layout b_layout_;
  const bool data_, own_dot_product_units_;
  fabric::clock_domain& clock_;

  sc_core::sc_vector<tensor_core> tensor_cores_;
  std::vector<links::made_dot_products> dot_product_units_;  ///< by tensor core
  sc_core::sc_vector<b_buffer> b_buffers_;
  sc_core::sc_vector<fabric::base_protocol_initiator> b_fill_;       ///< by B buffer
  sc_core::sc_vector<links::fragment_initiator<tensor_pipe>> fill_;  ///< by tensor core
  links::fragment_multi_target<tensor_pipe> products_{"products"};
  // Those on the links within the unit, if they are the model's own and no one else is there.
  std::vector<b_buffer*> direct_buffers_;
  std::vector<tensor_core*> direct_cores_;
  fabric::payload_pool payloads_;

  mutable counted_operations operations_;
  tensor_timing timing_;
  bool warps_held_back_ = false;
  mutable cycle_t waiting_cycles_ = 0;  ///< of an instruction that others hold back: how long it needs the dot-product units
  mutable cycle_t waiting_since_ = 0;
  bool others_first_ = false;
  bool one_passes_ = false;  ///< although others are first
  links::unit_occupancy occupancy_;
  fabric::growing_queue<reservation> reserved_;  ///< operands arrive in this order
  std::vector<unsigned> b_fills_outstanding_;    ///< by tile of the B buffer
  std::vector<std::unique_ptr<job>> jobs_;       ///< by place
  std::vector<unsigned> free_places_;
  links::fragment_transfer fragments_{};
  operand_signs a_signs_, b_signs_, c_signs_;
};

}  // namespace tc::subcore
