#pragma once

#include <systemc>
#include <tlm>

#include <tc/fabric/protocols.hpp>
#include <tc/subcore/dot_product_transfer.hpp>
#include <tc/subcore/fragment_transfer.hpp>
#include <tc/subcore/instruction_protocol.hpp>

namespace tc::subcore {

/// Either end of a link, as every socket of that protocol can be bound. `Links`: 1, or 0 for an initiator socket bound to any number of
/// targets.
template <class Protocol, int Links = 1>
using link_initiator = tlm::tlm_initiator_socket<fabric::base_link_width_bits, Protocol, Links>;
template <class Protocol>
using link_target =
    tlm::tlm_base_target_socket_b<fabric::base_link_width_bits, tlm::tlm_fw_transport_if<Protocol>, tlm::tlm_bw_transport_if<Protocol>>;

/// Binds the links inside a sub-core. Modules bind their children through it, so that whoever builds a sub-core can put a monitor, or a
/// unit of his own, on any link. This one binds directly.
class link_binder {
 public:
  using memory_protocol = tlm::tlm_base_protocol_types;

  virtual ~link_binder() = default;

  /// `link` names the kind of link, e.g. "b_fill"; `from.name()` tells which of them. Called while the module that owns the link is built.
  virtual void bind([[maybe_unused]] const char* link, link_initiator<memory_protocol>& from, link_target<memory_protocol>& to) {
    from.bind(to);
  }
  virtual void bind([[maybe_unused]] const char* link, link_initiator<instruction_protocol>& from, link_target<instruction_protocol>& to) {
    from.bind(to);
  }
  virtual void bind([[maybe_unused]] const char* link, link_initiator<instruction_protocol, 0>& from,
                    link_target<instruction_protocol>& to) {
    from.bind(to);
  }
  virtual void bind([[maybe_unused]] const char* link, link_initiator<fragment_protocol>& from, link_target<fragment_protocol>& to) {
    from.bind(to);
  }
  virtual void bind([[maybe_unused]] const char* link, link_initiator<dot_product_protocol>& from, link_target<dot_product_protocol>& to) {
    from.bind(to);
  }
};

}  // namespace tc::subcore
