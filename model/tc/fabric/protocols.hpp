#pragma once

#include <tlm>

namespace tc::fabric {

/// Width of the project's base-protocol links, in bits. TLM sockets bind only to sockets of the same width; 32 is the default of the
/// TLM-2.0 convenience sockets, so a user's own IP fits without a change.
inline constexpr unsigned base_link_width_bits = 32;

/// Whether a phase is not one of the base protocol's own; peers that do not know such a phase ignore it (IEEE 1666-2011, section 15.2.5).
inline bool is_extended(const tlm::tlm_phase& phase) { return phase > tlm::END_RESP; }

/// Traits of a link that carries dataflow inside the machine. `Payload` is chosen by the room that owns the link, which makes binding two
/// links of different meaning, or one of them to a base-protocol socket, a compile error.
///
/// Rules of the link:
///   - One forward call nb_transport_fw(payload, BEGIN_REQ, delay) hands the payload over; it arrives at now + delay. The receiver copies
///     or moves what it keeps before it returns: the sender may reuse the payload object at once.
///   - TLM_COMPLETED: taken. On return, `delay` says when the receiver can take the next payload; the sender waits until then.
///   - TLM_ACCEPTED: taken into the receiver's input latch, which is now full. The sender makes no further call until the receiver sends
///     nb_transport_bw(payload, END_REQ, delay), which it returns TLM_ACCEPTED from; the payload of that call means nothing.
///   - TLM_UPDATED and every other phase are illegal. There is no blocking, debug or direct-memory transport, and no response.
///
/// A payload type other than the generic payload compiles with simple_initiator_socket, passthrough_target_socket and the
/// multi_passthrough sockets, and not with simple_target_socket, whose adapters need the generic payload.
template <class Payload>
struct dataflow_protocol {
  using tlm_payload_type = Payload;
  using tlm_phase_type = tlm::tlm_phase;
};

}  // namespace tc::fabric
