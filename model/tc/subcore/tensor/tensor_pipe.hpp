// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <systemc>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/growing_queue.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/fabric/transfer_pool.hpp>
#include <tc/links/b_tile_link.hpp>
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
///   dispatch -> operand buses -- fragments: A, C; D back -> tensor cores -- dot_products --> dot-product units
///                             -- b_fill --> B buffer <-- b_read --+
///               result assembly -> result
///
/// An instruction takes one transaction on each of these links, per tensor core or B buffer. With the units of this room all of them happen
/// in the call that brings the operands, each with its own cycle; B buffers and dot-product units of others may answer later.
class tensor_pipe final : public sc_core::sc_module,
                          public fabric::statistics_source,
                          public fabric::resettable,
                          private links::dispatch_status,
                          private links::tensor_core_turns {
 public:
  fabric::transfer_target<links::instruction_protocol> dispatch{"dispatch"};
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

  /// True if no instruction is inside.
  bool idle() const {
    return jobs_.live() == 0 &&
           std::all_of(tensor_cores_.begin(), tensor_cores_.end(), [](const tensor_core& core) { return core.idle(); });
  }

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  struct job;
  /// What a B buffer is asked.
  struct b_request final : links::b_tile_transfer {
    job* owner = nullptr;
  };
  /// What a tensor core is asked.
  struct part final : links::fragment_transfer {
    job* owner = nullptr;
  };

  /// An instruction from its reservation to its result.
  struct job {
    explicit job(unsigned tensor_cores) {
      for (b_request& request : b_requests) request.owner = this;
      for (unsigned i = 0; i < tensor_cores; ++i) {
        parts[i].owner = this;
        parts[i].work = &work;
        parts[i].octets = links::octets_of(i, tensor_cores);
      }
    }

    links::warp_instruction* instruction = nullptr;
    counted_operation* counted = nullptr;
    cycle_t b_complete = 0;    ///< the last of B is in its buffer
    unsigned outstanding = 0;  ///< B buffers, then tensor cores, and the call that asks them
    links::matrix_work work{};
    std::array<b_request, max_b_buffers> b_requests;   ///< by B buffer
    std::array<part, links::octets_per_warp> parts{};  ///< by tensor core
    links::b_words b{};                                ///< on the way to the B buffers
  };

  links::availability earliest_dispatch(const isa::instruction& code, cycle_t dispatch) const override;
  cycle_t free_from() const override { return timing_.units_free_from(); }
  cycle_t let_waiting_pass(cycle_t waited_cycles) override;
  void give_precedence(bool to_others) override;
  void hold_back_warps() override;
  void take(cycle_t begin, cycle_t end) override;

  void wait_for_turn(const tensor_demand& demand) const;
  links::availability earliest_between_others(const tensor_demand& demand, cycle_t dispatch) const;

  tlm::tlm_sync_enum dispatched(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void reserve(links::warp_instruction& instruction);
  void begin(links::warp_instruction& instruction);
  bool is_taken(unsigned b_tile) const;
  void end_of_elaboration() override;

  bool fill_b(job& filling);
  void note_b(const b_request& request);
  void b_came_late(const b_request& request);
  void multiply(job& filled);
  void point_at_registers(job& filling);
  void take_products(const part& products);
  void finish(job& done);
  void give_up(job& late);
  void give_back(job& done);
  void bind_links(links::link_binder& binder);

  const config::tensor_core_parameters params_;
  const b_buffer_layout b_layout_;

  sc_core::sc_vector<tensor_core> tensor_cores_;
  std::vector<links::made_dot_products> dot_product_units_;  ///< by tensor core
  sc_core::sc_vector<b_buffer> b_buffers_;
  sc_core::sc_vector<links::request_initiator<links::b_tile_protocol>> b_fill_;       ///< by B buffer
  sc_core::sc_vector<links::request_initiator<links::fragment_protocol>> fragments_;  ///< by tensor core

  // What each instruction touches stands together.
  const unsigned buffer_count_, core_count_;
  const bool data_;
  bool warps_held_back_ = false;
  bool others_first_ = false;
  bool one_passes_ = false;             ///< although others are first
  unsigned begun_ = 0;                  ///< instructions whose operands are here
  mutable cycle_t waiting_cycles_ = 0;  ///< of an instruction that others hold back: how long it needs the dot-product units
  mutable cycle_t waiting_since_ = 0;
  fabric::growing_queue<job*> reserved_;  ///< operands arrive in this order
  fabric::transfer_pool<job> jobs_;
  std::array<links::request_initiator<links::b_tile_protocol>::sender, max_b_buffers> to_b_buffers_{};
  std::array<links::request_initiator<links::fragment_protocol>::sender, links::octets_per_warp> to_tensor_cores_{};
  std::vector<bool> waits_for_b_;  ///< by tile of the B buffers: they have not answered in the call
  tensor_timing timing_;
  links::unit_occupancy occupancy_;
  mutable counted_operations operations_;
  fabric::clock_domain& clock_;
  operand_signs a_signs_, b_signs_, c_signs_;
};

}  // namespace tc::subcore
