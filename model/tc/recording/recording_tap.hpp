// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/link_tap.hpp>
#include <tc/links/arrival_cycle.hpp>

namespace tc::recording {

/// Tells of what passes over a link, with the cycle in which it arrives: each phase on its way forward, before it is passed on, and each
/// that comes back, be it the answer to a call or a call of the target's. A request that is answered TLM_COMPLETED has its BEGIN_RESP told.
template <class Protocol>
class recording_tap final : public fabric::link_tap<Protocol> {
 public:
  using payload_type = typename Protocol::tlm_payload_type;
  using listener = std::function<void(payload_type& payload, const tlm::tlm_phase& phase, fabric::cycle_t cycle)>;

  /// `back` may be empty.
  recording_tap(const sc_core::sc_module_name& module_name, const fabric::clock_domain& clock, listener forth, listener back)
      : tap(module_name), clock_(clock), forth_(std::move(forth)), back_(std::move(back)) {}

 private:
  using tap = fabric::link_tap<Protocol>;

  tlm::tlm_sync_enum forward(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    const bool is_request = phase == tlm::BEGIN_REQ;
    forth_(payload, phase, arrival(delay));
    const tlm::tlm_sync_enum answer = tap::forward(payload, phase, delay);
    if (!back_ || !is_request || answer == tlm::TLM_ACCEPTED) return answer;
    back_(payload, answer == tlm::TLM_COMPLETED ? tlm::tlm_phase(tlm::BEGIN_RESP) : phase, arrival(delay));
    return answer;
  }

  tlm::tlm_sync_enum backward(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    if (back_) back_(payload, phase, arrival(delay));
    return tap::backward(payload, phase, delay);
  }

  void blocking(payload_type& payload, sc_core::sc_time& delay) override {
    forth_(payload, tlm::BEGIN_REQ, arrival(delay));
    tap::blocking(payload, delay);
    if (back_) back_(payload, tlm::BEGIN_RESP, arrival(delay));
  }

  fabric::cycle_t arrival(const sc_core::sc_time& delay) const { return links::arrival_cycle(clock_, delay); }

  const fabric::clock_domain& clock_;
  const listener forth_, back_;
};

}  // namespace tc::recording
