// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/fabric/protocols.hpp>
#include <tc/fabric/reports.hpp>

namespace tc::fabric {

// Sockets for links that every instruction passes. Any other socket of the protocol can be bound to them.
//
// The transport interfaces of TLM-2.0 inherit virtually: a call through a port loads the interface, its table, the place of the base class,
// that one's table, and then the function, each from where the last one says. That takes as long as the function of many a unit. Here the
// base class is looked for once, at the end of elaboration, and the compiler knows the function that a target calls.

/// As tlm_utils::simple_initiator_socket, with a short way to what is bound.
template <class Module, class Protocol>
class transfer_initiator : public tlm_utils::simple_initiator_socket<Module, base_link_width_bits, Protocol> {
 public:
  using payload_type = typename Protocol::tlm_payload_type;

  explicit transfer_initiator(const char* name) : tlm_utils::simple_initiator_socket<Module, base_link_width_bits, Protocol>(name) {}

  using bound_interface = tlm::tlm_fw_nonblocking_transport_if<payload_type, tlm::tlm_phase>;

  /// nb_transport_fw with no annotated delay, from the end of elaboration on.
  tlm::tlm_sync_enum send(payload_type& payload, tlm::tlm_phase& phase) {
    sc_core::sc_time delay;
    return bound_->nb_transport_fw(payload, phase, delay);
  }
  /// The interface that send() calls.
  bound_interface& bound() const { return *bound_; }

 protected:
  void end_of_elaboration() override { bound_ = this->operator->(); }

 private:
  bound_interface* bound_ = nullptr;
};

/// As tlm_utils::passthrough_target_socket_optional, of a function that the compiler knows. The number of initiators; 0: any number.
template <class Protocol, int Initiators = 1>
class transfer_target final : public tlm::tlm_target_socket<base_link_width_bits, Protocol, Initiators, sc_core::SC_ZERO_OR_MORE_BOUND> {
 public:
  using payload_type = typename Protocol::tlm_payload_type;

  explicit transfer_target(const char* name)
      : tlm::tlm_target_socket<base_link_width_bits, Protocol, Initiators, sc_core::SC_ZERO_OR_MORE_BOUND>(name) {}

  /// During construction: calls of nb_transport_fw are those of `Forward`, and of transport_dbg of `Debug`, member functions of the module.
  template <auto Forward, auto Debug = nullptr, class Module>
  void serve(Module& module) {
    calls_ = std::make_unique<calls_of<Module, Forward, Debug>>(module);
    this->bind(*calls_);
  }

 private:
  using interface = tlm::tlm_fw_transport_if<Protocol>;

  template <class Module, auto Forward, auto Debug>
  class calls_of final : public interface {
   public:
    explicit calls_of(Module& module) : module_(module) {}

   private:
    tlm::tlm_sync_enum nb_transport_fw(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
      return (module_.*Forward)(payload, phase, delay);
    }
    unsigned transport_dbg([[maybe_unused]] payload_type& payload) override {
      if constexpr (Debug != nullptr)
        return (module_.*Debug)(payload);
      else
        return 0;
    }
    void b_transport(payload_type&, sc_core::sc_time&) override {
      error(report::monitor_dataflow, module_.name(), "b_transport was called, and its links have none");
    }
    bool get_direct_mem_ptr(payload_type&, tlm::tlm_dmi&) override { return false; }

    Module& module_;
  };

  std::unique_ptr<interface> calls_;
};

}  // namespace tc::fabric
