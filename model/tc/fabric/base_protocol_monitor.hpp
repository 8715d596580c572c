#pragma once

#include <cstdint>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/fabric/base_protocol_rules.hpp>
#include <tc/fabric/protocols.hpp>
#include <tc/fabric/statistics.hpp>

namespace tc::fabric {

/// Checks a base-protocol link without changing what passes: it sits between an initiator and a target, forwards every call in both
/// directions, and reports what breaks the rules (base_protocol_rules). Can be put on any link of its width.
template <unsigned Buswidth = base_link_width_bits>
class base_protocol_monitor final : public sc_core::sc_module, public statistics_source {
 public:
  tlm_utils::simple_initiator_socket<base_protocol_monitor, Buswidth> initiator{"initiator"};       ///< towards the link's target
  tlm_utils::passthrough_target_socket_optional<base_protocol_monitor, Buswidth> target{"target"};  ///< towards the link's initiator

  explicit base_protocol_monitor(const sc_core::sc_module_name& module_name, const base_protocol_rules::options& options = {})
      : sc_module(module_name), rules_(name(), options) {
    target.register_nb_transport_fw(this, &base_protocol_monitor::forward);
    target.register_b_transport(this, &base_protocol_monitor::blocking);
    target.register_transport_dbg(this, &base_protocol_monitor::debug);
    target.register_get_direct_mem_ptr(this, &base_protocol_monitor::direct_memory);
    initiator.register_nb_transport_bw(this, &base_protocol_monitor::backward);
    initiator.register_invalidate_direct_mem_ptr(this, &base_protocol_monitor::invalidate_direct_memory);
  }

  /// Transactions that passed and completed.
  std::uint64_t transactions() const { return rules_.transactions(); }

  /// Reports what is still open. Called by SystemC after sc_stop(); call it yourself if the run ends otherwise.
  void check_end() const { rules_.check_end(); }

  void collect(statistics_sink& sink) const override {
    sink.count("transactions", transactions(), "transactions", "Transactions that passed the monitored link");
  }

 private:
  void end_of_simulation() override { check_end(); }

  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const base_protocol_rules::arguments passed{phase, delay};
    rules_.before_forward(payload, passed);
    const tlm::tlm_sync_enum result = initiator->nb_transport_fw(payload, phase, delay);
    rules_.after_forward(payload, passed, result, {phase, delay});
    return result;
  }

  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const base_protocol_rules::arguments passed{phase, delay};
    rules_.before_backward(payload, passed);
    const tlm::tlm_sync_enum result = target->nb_transport_bw(payload, phase, delay);
    rules_.after_backward(payload, passed, result, {phase, delay});
    return result;
  }

  void blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const base_protocol_rules::request_attributes sent(payload);
    const sc_core::sc_time passed = delay;
    const sc_core::sc_time called = sc_core::sc_time_stamp();
    rules_.before_blocking(payload);
    initiator->b_transport(payload, delay);
    rules_.after_blocking(payload, sent, called + passed, sc_core::sc_time_stamp() + delay);
  }

  unsigned debug(tlm::tlm_generic_payload& payload) {
    const unsigned bytes = initiator->transport_dbg(payload);
    rules_.after_debug(payload, bytes);
    return bytes;
  }

  bool direct_memory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) { return initiator->get_direct_mem_ptr(payload, region); }

  void invalidate_direct_memory(sc_dt::uint64 first, sc_dt::uint64 last) { target->invalidate_direct_mem_ptr(first, last); }

  base_protocol_rules rules_;
};

}  // namespace tc::fabric
