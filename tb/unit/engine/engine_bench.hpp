// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/fabric/clock_domain.hpp>
#include <tc/links/asynchronous_links.hpp>

namespace tc::engine::test {

/// Sends requests to a barrier unit, and notes when they are answered.
class barrier_peer final : public sc_core::sc_module {
 public:
  links::barrier_initiator<barrier_peer> socket{"socket"};

  barrier_peer(const sc_core::sc_module_name& name, fabric::clock_domain& clock) : sc_module(name), clock_(clock) {
    socket.register_nb_transport_bw(this, &barrier_peer::backward);
  }

  struct outcome {
    bool in_call = false;
    std::uint64_t cycle = 0;  ///< of the answer, if it came in the call
  };

  /// Sends a request that arrives in the next cycle.
  outcome send(links::barrier_transfer& request) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock_.period();
    const tlm::tlm_sync_enum result = socket->nb_transport_fw(request, phase, delay);
    if (result != tlm::TLM_COMPLETED) return {};
    return {true, cycle_of(delay)};
  }

  /// A request that came back later, and when.
  struct late_answer {
    const links::barrier_transfer* request;
    std::uint64_t cycle;
  };
  std::vector<late_answer> late;

 private:
  std::uint64_t cycle_of(const sc_core::sc_time& delay) const {
    return (sc_core::sc_time_stamp() + delay).value() / clock_.period().value();
  }

  tlm::tlm_sync_enum backward(links::barrier_transfer& request, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    sc_assert(phase == tlm::BEGIN_RESP && delay >= clock_.period());
    late.push_back({&request, cycle_of(delay)});
    return tlm::TLM_COMPLETED;
  }

  fabric::clock_domain& clock_;
};

inline links::barrier_transfer barrier_request(isa::barrier_action action, std::uint64_t address, std::uint32_t count = 1,
                                               std::uint32_t bytes = 0) {
  links::barrier_transfer request;
  request.action = action;
  request.address = address;
  request.count = count;
  request.bytes = bytes;
  return request;
}

}  // namespace tc::engine::test
