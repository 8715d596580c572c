// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include <systemc>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/asynchronous_links.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/subcore/tensor_memory/tensor_accesses.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// What the warps of a sub-core ask of their SM's tensor engine (tcgen05.mma, cp, shift and commit), through a number of places in its
/// queue, and of the allocation unit. An instruction is done when they say so: until then its warp has not drained.
class tensor_requests final : public sc_core::sc_module, public fabric::resettable {
 public:
  links::tensor_request_initiator<tensor_requests> request{"request"};
  links::allocation_initiator<tensor_requests> allocation{"allocation"};

  /// Tells the owner that an instruction is done: its result is visible in a cycle to come.
  using done_callback = std::function<void(links::warp_instruction& instruction, cycle_t visible)>;
  /// Tells the owner that a place has become free when there was none.
  using free_callback = std::function<void()>;

  tensor_requests(const sc_core::sc_module_name& name, unsigned places, fabric::clock_domain& clock, done_callback done,
                  free_callback place_free);
  ~tensor_requests() override;

  /// Whether another instruction for the engine may issue.
  bool has_place() const { return taken_ < places_; }
  /// One has issued, and will be dispatched.
  void take_place();
  /// It is dispatched.
  void send_request(links::warp_instruction& instruction);
  void send_allocation(links::warp_instruction& instruction, const isa::tensor_allocation_operation& operation);

  void reset() override;
  void collect(fabric::statistics_sink& sink) const;

 private:
  tlm::tlm_sync_enum request_progressed(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum allocation_done(links::allocation_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  cycle_t visible_after(const sc_core::sc_time& delay) const;

  const unsigned places_;
  fabric::clock_domain& clock_;
  const done_callback done_;
  const free_callback place_free_;
  unsigned taken_ = 0;
  std::uint64_t requests_ = 0, allocations_ = 0, times_full_ = 0;
};

/// A sub-core's part in the instructions on tensor memory (tcgen05):
///
///   dispatch -> accesses -> chunk of tensor memory, register banks    ld, st, wait
///            -> requests -> tensor engine                             mma, cp, shift, commit
///                        -> allocation unit                           alloc, dealloc, relinquish_alloc_permit
///   ... -> result, when the instruction is complete
///
/// Fences order what their warp issues, which is sent on in that order anyway: they are done at once, as instructions that no lane executes
/// are.
class tensor_memory_unit final : public sc_core::sc_module, public fabric::statistics_source, private links::dispatch_status {
 public:
  fabric::transfer_target<links::instruction_protocol> dispatch{"dispatch"};
  sc_core::sc_export<links::dispatch_status> status{"status"};
  links::instruction_initiator<tensor_memory_unit> result{"result"};
  tensor_accesses accesses;  ///< whose sockets are for the owner to bind
  tensor_requests requests;  ///< and these

  struct params {
    unsigned queue_entries = 6;  ///< places of the tensor engine's queue
    config::tensor_admission_parameters admission{};
    unsigned warp_slots = 16;
    bool data = true;  ///< false: no values move, only time passes
  };

  /// What it needs of the sub-core around it, which outlives it.
  struct surroundings {
    const register_mapping& registers;
    definedness& shadow;
    links::issue_wakeup& scheduler;
    fabric::clock_domain& clock;
  };

  tensor_memory_unit(const sc_core::sc_module_name& name, const params& parameters, const surroundings& around);
  ~tensor_memory_unit() override;

  /// True if no instruction is inside and no payload in use.
  bool idle() const { return inside_ == 0 && accesses.idle(); }

  void collect(fabric::statistics_sink& sink) const override;

 private:
  links::availability earliest_dispatch(const isa::instruction& code, cycle_t dispatch) const override;
  tlm::tlm_sync_enum dispatched(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void reserve(links::warp_instruction& instruction);
  void begin(links::warp_instruction& instruction);
  void send_result(links::warp_instruction& instruction, cycle_t visible);

  fabric::clock_domain& clock_;
  std::uint64_t inside_ = 0;
};

}  // namespace tc::subcore
