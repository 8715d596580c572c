// SPDX-License-Identifier: Apache-2.0
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
/// Rules of the link, which dataflow_monitor checks:
///   - A forward call nb_transport_fw(payload, phase, delay) hands the payload over; it arrives at now + delay. The receiver copies what it
///     keeps before it returns, unless the link says more of the payload.
///   - The answer is TLM_COMPLETED, and leaves phase and delay as they were: who sends has asked for room before, or knows of it.
///   - Nothing travels backward. There is no blocking, debug or direct-memory transport.
///
/// A payload type other than the generic payload compiles with simple_initiator_socket, passthrough_target_socket and the
/// multi_passthrough sockets, and not with simple_target_socket, whose adapters need the generic payload.
template <class Payload>
struct dataflow_protocol {
  using tlm_payload_type = Payload;
  using tlm_phase_type = tlm::tlm_phase;
};

}  // namespace tc::fabric
