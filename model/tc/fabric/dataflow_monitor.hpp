// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

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
  std::uint64_t calls() const { return calls_; }

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

}  // namespace tc::fabric
