// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/fabric/clocked.hpp>
#include <tc/fabric/protocols.hpp>

namespace tc::links {

using fabric::cycle_t;

/// A tile of B on its way into a B buffer, or out of it. A register of the buffer is 32 bits of each lane that the buffer serves; words are
/// in the order in which dot-product units take them: by column, then k (dot_product_transfer::b).
struct b_tile_transfer {
  unsigned tile = 0;
  unsigned registers = 0;                ///< of the tile, from its first one on
  const std::uint32_t* words = nullptr;  ///< what fills it, or where the buffer has it; null in a run without data
  cycle_t arrival = 0;                   ///< the first registers are at the buffer, or the tensor core wants to read
  cycle_t complete = 0;                  ///< all registers are there
  const char* refusal = nullptr;         ///< why the buffer has not done it, in `complete` then when it could have; null: it has
};

/// Links of the B buffers: b_fill from the operand buses, b_read from a tensor core. Time is in the transfer, in cycles; the annotated
/// delay is zero.
///
/// nb_transport_fw with BEGIN_REQ. The sender sets `complete` to `arrival`, and `refusal` to null. A buffer that takes longer sets
/// `complete`, and one that refuses says why. The words of a fill, and those that a read points to, are to be followed in the call alone in
/// which they come. The transfer stays where it is until the answer:
///
///   TLM_COMPLETED   done.
///   TLM_UPDATED     the same, with the phase BEGIN_RESP.
///   TLM_ACCEPTED    the answer follows: nb_transport_bw with BEGIN_RESP, which is answered TLM_COMPLETED. It is complete then at the
///                   earliest.
///
/// Debug transport over b_read shows the words of a tile, and returns how many bytes there are.
struct b_tile_protocol {
  using tlm_payload_type = b_tile_transfer;
  using tlm_phase_type = tlm::tlm_phase;
};

template <class Module>
using b_tile_initiator = tlm_utils::simple_initiator_socket<Module, fabric::base_link_width_bits, b_tile_protocol>;
template <class Module>
using b_tile_target = tlm_utils::passthrough_target_socket_optional<Module, fabric::base_link_width_bits, b_tile_protocol>;

}  // namespace tc::links
