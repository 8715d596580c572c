// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/fabric/protocols.hpp>

namespace tc::fabric {

/// The initiator's end of a memory-like link: a base-protocol socket that also knows the protocol. It sends payloads with
/// nb_transport_fw, accepts every legal answer (TLM-2.0 base protocol, IEEE 1666-2011 section 15.2), keeps the exclusion rule by queueing,
/// and tells its owner when the data is valid. It allocates nothing per transaction.
///
/// A target that completes in the forward call costs no event: the owner is told within send(), with the annotated delay.
class base_protocol_initiator final : public tlm_utils::simple_initiator_socket<base_protocol_initiator, base_link_width_bits> {
 public:
  /// Called once for each payload sent: its response status, and the data of a read, are valid `delay` from now. The callback may send
  /// again. The owner's reference is still held; releasing it is up to the owner.
  using done_callback = std::function<void(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay)>;

  base_protocol_initiator(const char* name, done_callback done);

  /// Sends a request that arrives `delay` from now, or as soon after as the target accepts it. All attributes must be set
  /// (set_attributes()), and the caller holds a reference until it has been told that the payload is done. Requests leave in the order of
  /// the calls. Does not block, and may be called from the callback: such a request leaves after the current one.
  void send(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME);

  /// Who is told of addresses to which direct access has been revoked, first and last; without one nobody is. Once, before simulation.
  using invalidation_callback = std::function<void(sc_dt::uint64 first, sc_dt::uint64 last)>;
  void on_invalidation(invalidation_callback invalidated);

  /// Payloads sent or queued, and not done yet.
  std::size_t outstanding() const { return outstanding_; }

 private:
  struct request {
    tlm::tlm_generic_payload* payload;
    sc_core::sc_time arrival;  // absolute
  };

  void issue(tlm::tlm_generic_payload& payload, sc_core::sc_time delay);
  void updated(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void end_response(tlm::tlm_generic_payload& payload, sc_core::sc_time delay);
  void finish(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void respond(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void open_at(const sc_core::sc_time& delay);
  void open();
  void drain();
  request next_waiting();
  std::size_t waiting() const { return waiting_.size() - first_waiting_; }
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) { invalidated_(first, last); }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  done_callback done_;
  invalidation_callback invalidated_;
  sc_core::sc_event open_event_;
  std::vector<request> waiting_;                    // in order; empty unless the target holds back END_REQ
  std::size_t first_waiting_ = 0;                   // those before it have left
  tlm::tlm_generic_payload* requesting_ = nullptr;  // between its BEGIN_REQ and its END_REQ
  bool closed_ = false;                             // no BEGIN_REQ may leave now: requesting, or inside a call, or until open_event_
  std::size_t outstanding_ = 0;
};

}  // namespace tc::fabric
