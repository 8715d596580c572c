// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include <systemc>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/allocation_transfer.hpp>
#include <tc/links/tensor_request.hpp>

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

}  // namespace tc::subcore
