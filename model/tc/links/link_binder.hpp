// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <systemc>
#include <tlm>

#include <tc/fabric/protocols.hpp>
#include <tc/links/asynchronous_links.hpp>
#include <tc/links/b_tile_link.hpp>
#include <tc/links/bank_protocol.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/links/pipeline_observers.hpp>
#include <tc/links/shared_memory_link.hpp>
#include <tc/links/tensor_core_links.hpp>
#include <tc/links/warpgroup_transfer.hpp>

namespace tc::links {

/// Either end of a link, as every socket of that protocol can be bound.
template <class Protocol>
using link_initiator = tlm::tlm_initiator_socket<fabric::base_link_width_bits, Protocol>;
template <class Protocol>
using link_target =
    tlm::tlm_base_target_socket_b<fabric::base_link_width_bits, tlm::tlm_fw_transport_if<Protocol>, tlm::tlm_bw_transport_if<Protocol>>;

/// Binds the links of a machine. Modules bind their children through it, so that whoever builds the machine can put a monitor, or a unit of
/// his own, on any link, and can listen to what goes over none. This one binds directly, and listens to nothing.
///
/// To replace a unit, a derived binder binds `from` to the unit's stand-in on each of the unit's links, and leaves `to` alone: the targets
/// of this model may stay unbound, and a unit that nobody calls does nothing. What goes over a link is written down at its protocol:
/// bank_protocol.hpp, instruction_protocol.hpp, tensor_core_links.hpp, b_tile_link.hpp, shared_memory_link.hpp, warpgroup_transfer.hpp,
/// asynchronous_links.hpp, and for memories of the base protocol memory_target.hpp.
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
  virtual void bind([[maybe_unused]] const char* link, link_initiator<bank_protocol>& from, link_target<bank_protocol>& to) {
    from.bind(to);
  }
  virtual void bind([[maybe_unused]] const char* link, link_initiator<shared_memory_protocol>& from,
                    link_target<shared_memory_protocol>& to) {
    from.bind(to);
  }
  virtual void bind([[maybe_unused]] const char* link, link_initiator<b_tile_protocol>& from, link_target<b_tile_protocol>& to) {
    from.bind(to);
  }
  virtual void bind([[maybe_unused]] const char* link, link_initiator<fragment_protocol>& from, link_target<fragment_protocol>& to) {
    from.bind(to);
  }
  virtual void bind([[maybe_unused]] const char* link, link_initiator<dot_product_protocol>& from, link_target<dot_product_protocol>& to) {
    from.bind(to);
  }
  virtual void bind([[maybe_unused]] const char* link, link_initiator<warpgroup_request_protocol>& from,
                    link_target<warpgroup_request_protocol>& to) {
    from.bind(to);
  }
  virtual void bind([[maybe_unused]] const char* link, link_initiator<warpgroup_operands_protocol>& from,
                    link_target<warpgroup_operands_protocol>& to) {
    from.bind(to);
  }
  virtual void bind([[maybe_unused]] const char* link, link_initiator<barrier_protocol>& from, link_target<barrier_protocol>& to) {
    from.bind(to);
  }
  virtual void bind([[maybe_unused]] const char* link, link_initiator<bulk_copy_protocol>& from, link_target<bulk_copy_protocol>& to) {
    from.bind(to);
  }
  virtual void bind([[maybe_unused]] const char* link, link_initiator<tensor_request_protocol>& from,
                    link_target<tensor_request_protocol>& to) {
    from.bind(to);
  }
  virtual void bind([[maybe_unused]] const char* link, link_initiator<allocation_protocol>& from, link_target<allocation_protocol>& to) {
    from.bind(to);
  }

  /// A shared memory that speaks the base protocol, for the initiator of this path in an SM; null: the model's own. The initiator is bound
  /// to an adapter (memory/shared_memory_adapter.hpp), and this as another link "shared_memory" to what is given.
  virtual link_target<memory_protocol>* foreign_shared_memory([[maybe_unused]] const std::string& initiator) { return nullptr; }

  /// Who is told what the scheduler of this path decides, which has so many warp slots; null: nobody.
  virtual issue_observer* observer_of_issue([[maybe_unused]] const std::string& scheduler, [[maybe_unused]] unsigned warp_slots) {
    return nullptr;
  }
  /// Who is told what the operand fetch of this path decides, before its links are bound; null: nobody.
  virtual operand_observer* observer_of_operands([[maybe_unused]] const std::string& operand_fetch) { return nullptr; }
  /// Who is told what the load-store unit of this path does; null: nobody.
  virtual load_store_observer* observer_of_load_store([[maybe_unused]] const std::string& load_store) { return nullptr; }
};

}  // namespace tc::links
