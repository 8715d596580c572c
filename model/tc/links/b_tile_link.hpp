// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>

#include <tc/fabric/protocols.hpp>
#include <tc/links/request_link.hpp>

namespace tc::links {

/// A tile of B on its way into a B buffer, or out of it. A register of the buffer is 32 bits of each lane that the buffer serves; words are
/// in the order in which dot-product units take them: by column, then k (dot_product_transfer::b).
struct b_tile_transfer : timed_request {
  unsigned tile = 0;
  unsigned registers = 0;                ///< of the tile, from its first one on
  const std::uint32_t* words = nullptr;  ///< what fills it, or where the buffer has it; null in a run without data
  const char* refusal = nullptr;         ///< why the buffer has not done it, in `complete` then when it could have; null: it has
};

/// Links of the B buffers, of requests: b_fill from the operand buses, whose first registers are at the buffer in `arrival` and all of them
/// in `complete`; and b_read from a tensor core, which wants to read in `arrival`. The sender sets `refusal` to null, and a buffer that
/// refuses says why. The words of a fill, and those that a read points to, are to be followed in the call alone in which they come.
///
/// Debug transport over b_read shows the words of a tile, and returns how many bytes there are.
struct b_tile_protocol {
  using tlm_payload_type = b_tile_transfer;
  using tlm_phase_type = tlm::tlm_phase;
};

template <class Module>
using b_tile_initiator = fabric::transfer_initiator<Module, b_tile_protocol>;
template <class Module>
using b_tile_target = tlm_utils::passthrough_target_socket_optional<Module, fabric::base_link_width_bits, b_tile_protocol>;

}  // namespace tc::links
