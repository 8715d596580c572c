// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/subcore/tensor_memory/tensor_accesses.hpp>
#include <tc/subcore/tensor_memory/tensor_requests.hpp>

namespace tc::subcore {

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
  links::instruction_target<tensor_memory_unit> dispatch{"dispatch"};
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
