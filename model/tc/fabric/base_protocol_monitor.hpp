// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>
#include <tlm>

#include <tc/fabric/base_protocol_rules.hpp>
#include <tc/fabric/link_tap.hpp>
#include <tc/fabric/local_time.hpp>
#include <tc/fabric/protocols.hpp>
#include <tc/fabric/statistics.hpp>

namespace tc::fabric {

/// Checks a base-protocol link without changing what passes: it sits between an initiator and a target, forwards every call in both
/// directions, and reports what breaks the rules (base_protocol_rules). Can be put on any link of its width.
template <unsigned Buswidth = base_link_width_bits>
class base_protocol_monitor final : public link_tap<tlm::tlm_base_protocol_types, Buswidth>, public statistics_source {
 public:
  explicit base_protocol_monitor(const sc_core::sc_module_name& module_name, const base_protocol_rules::options& options = {})
      : tap(module_name), rules_(this->name(), options) {}

  /// Transactions that passed and completed.
  std::uint64_t transactions() const { return rules_.transactions(); }

  /// Reports what is still open. Called by SystemC after sc_stop(); call it yourself if the run ends otherwise.
  void check_end() const { rules_.check_end(); }

  void collect(statistics_sink& sink) const override {
    sink.count("transactions", transactions(), "transactions", "Transactions that passed the monitored link");
  }

 private:
  using tap = link_tap<tlm::tlm_base_protocol_types, Buswidth>;

  void end_of_simulation() override { check_end(); }

  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    const base_protocol_rules::arguments passed{phase, delay};
    rules_.before_forward(payload, passed);
    const tlm::tlm_sync_enum result = tap::forward(payload, phase, delay);
    rules_.after_forward(payload, passed, result, {phase, delay});
    return result;
  }

  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    const base_protocol_rules::arguments passed{phase, delay};
    rules_.before_backward(payload, passed);
    const tlm::tlm_sync_enum result = tap::backward(payload, phase, delay);
    rules_.after_backward(payload, passed, result, {phase, delay});
    return result;
  }

  void blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    const request_attributes sent(payload);
    const sc_core::sc_time passed = delay;
    const sc_core::sc_time called = local_time::now();
    rules_.before_blocking(payload);
    tap::blocking(payload, delay);
    rules_.after_blocking(payload, sent, called + passed, local_time::now() + delay);
  }

  unsigned debug(tlm::tlm_generic_payload& payload) override {
    const request_attributes sent(payload);
    const base_protocol_rules::moment called;
    rules_.before_debug(payload);
    const unsigned bytes = tap::debug(payload);
    rules_.after_debug(payload, sent, called, bytes);
    return bytes;
  }

  bool direct_memory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) override {
    const request_attributes sent(payload);
    const base_protocol_rules::moment called;
    rules_.before_direct_request(payload);
    const bool is_granted = tap::direct_memory(payload, region);
    rules_.after_direct_request(payload, sent, called, is_granted ? &region : nullptr);
    return is_granted;
  }

  void invalidate_direct_memory(sc_dt::uint64 first, sc_dt::uint64 last) override {
    rules_.before_invalidation(first, last);
    tap::invalidate_direct_memory(first, last);
    rules_.after_invalidation();
  }

  base_protocol_rules rules_;
};

}  // namespace tc::fabric
