// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/fabric/link_tap.hpp>
#include <tc/fabric/reports.hpp>

namespace tc::fabric {

/// Checks a dataflow link without changing what passes: it sits between an initiator and a target, forwards every call, and reports an
/// answer that breaks the rules (dataflow_protocol).
template <class Protocol>
class dataflow_monitor final : public link_tap<Protocol> {
 public:
  using payload_type = typename Protocol::tlm_payload_type;

  explicit dataflow_monitor(const sc_core::sc_module_name& module_name) : link_tap<Protocol>(module_name) {}

  /// Calls that passed.
  std::uint64_t transactions() const { return calls_; }

 private:
  tlm::tlm_sync_enum forward(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    const tlm::tlm_phase sent = phase;
    const sc_core::sc_time arrival = delay;
    const tlm::tlm_sync_enum answer = link_tap<Protocol>::forward(payload, phase, delay);
    ++calls_;
    if (answer != tlm::TLM_COMPLETED) error(report::monitor_dataflow, this->name(), "a call was not answered TLM_COMPLETED");
    if (phase != sent)
      error(report::monitor_dataflow, this->name(), std::string("the phase ") + sent.get_name() + " came back as " + phase.get_name());
    if (delay != arrival)
      error(report::monitor_dataflow, this->name(), "the delay " + arrival.to_string() + " came back as " + delay.to_string());
    return answer;
  }

  std::uint64_t calls_ = 0;
};

/// Checks a link of requests that are answered, without changing what passes, and reports what breaks these rules:
///
///   - BEGIN_REQ goes forward, and not again for a payload before its answer; besides it phases of the link's own, which are answered
///     TLM_COMPLETED.
///   - The answer is TLM_COMPLETED, or TLM_UPDATED with BEGIN_RESP, with no less delay than the request; or, after TLM_ACCEPTED, one
///     BEGIN_RESP backward, which is answered TLM_COMPLETED.
template <class Protocol>
class request_monitor final : public link_tap<Protocol> {
 public:
  using payload_type = typename Protocol::tlm_payload_type;

  explicit request_monitor(const sc_core::sc_module_name& module_name) : link_tap<Protocol>(module_name) {}

  /// Requests that passed.
  std::uint64_t transactions() const { return requests_; }

 private:
  void require(bool is_kept, const char* broken) const {
    if (!is_kept) error(report::monitor_dataflow, this->name(), broken);
  }

  tlm::tlm_sync_enum forward(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    const sc_core::sc_time sent = delay;
    if (is_extended(phase)) {
      const tlm::tlm_sync_enum taken = link_tap<Protocol>::forward(payload, phase, delay);
      require(taken == tlm::TLM_COMPLETED, "a phase of the link's own was not answered TLM_COMPLETED");
      return taken;
    }
    require(phase == tlm::BEGIN_REQ, "another phase than BEGIN_REQ went forward");
    require(std::find(under_way_.begin(), under_way_.end(), &payload) == under_way_.end(), "a payload was sent again before its answer");
    ++requests_;
    under_way_.push_back(&payload);  // the answer may come within the call
    const tlm::tlm_sync_enum answer = link_tap<Protocol>::forward(payload, phase, delay);
    if (answer == tlm::TLM_ACCEPTED) return answer;
    require(finish(payload), "a request was answered twice");
    require(answer == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP, "a request was answered TLM_UPDATED without BEGIN_RESP");
    require(delay >= sent, "an answer came back with less delay than its request");
    return answer;
  }

  tlm::tlm_sync_enum backward(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    require(phase == tlm::BEGIN_RESP, "another phase than BEGIN_RESP came backward");
    require(finish(payload), "an answer came without a request");
    const tlm::tlm_sync_enum answer = link_tap<Protocol>::backward(payload, phase, delay);
    require(answer == tlm::TLM_COMPLETED, "BEGIN_RESP was not answered TLM_COMPLETED");
    return answer;
  }

  /// False if it is not under way.
  bool finish(const payload_type& payload) {
    const auto found = std::find(under_way_.begin(), under_way_.end(), &payload);
    if (found == under_way_.end()) return false;
    under_way_.erase(found);
    return true;
  }

  std::vector<const payload_type*> under_way_;
  std::uint64_t requests_ = 0;
};

}  // namespace tc::fabric
