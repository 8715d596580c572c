// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/isa/mma_operation.hpp>
#include <tc/links/product_shape.hpp>

namespace tc::links {

/// What a tensor core asks its dot-product units: all sums of one matrix instruction. Pointers are null in a run without data.
struct dot_product_transfer {
  const isa::mma_operation* mma = nullptr;  ///< types of the elements and what is done with them; m, n are those of the whole warp
  product_shape shape{};
  const std::uint32_t* a = nullptr;  ///< elements in ascending k, packed into words: word w of row r at a[w * rows + r]
  const std::uint32_t* b = nullptr;  ///< packed likewise: word w of column n at b[n * words of a column + w]
  const std::uint32_t* c = nullptr;  ///< element (r, n) at c[n * rows + r], bits of 16 in the low half; of f64 two words, the low one first
  std::uint32_t* d = nullptr;        ///< as c

  // Words of one product.
  unsigned a_words() const { return shape.rows * shape.k * isa::bits(mma->a) / 32; }
  unsigned b_words() const { return shape.columns * shape.k * isa::bits(mma->b) / 32; }
  unsigned d_words() const { return shape.rows * shape.columns * (isa::bits(mma->d) == 64 ? 2 : 1); }  ///< and of C
};

/// Dataflow link dot_products: from a tensor core, or from a warpgroup unit, to its dot-product units; not blocking.
///
/// nb_transport_fw with BEGIN_REQ, with the delay until A, B and C are complete. A, B and C are to be followed in the call alone: the units
/// copy what they keep. The transfer, and D in it, stay where they are until the answer:
///
///   TLM_COMPLETED   D is written. On return `delay` is the time until D is complete.
///                   Stages of multipliers and adders are in the schedule of the instruction, so the model's own units leave it unchanged.
///   TLM_UPDATED     the same, with the phase BEGIN_RESP.
///   TLM_ACCEPTED    D follows: nb_transport_bw with BEGIN_RESP, once D is written, with the delay until it is complete. That call is
///                   answered TLM_COMPLETED, and ends the transaction.
///
/// Several transfers may be under way, and be answered in any order. D that is complete after the cycle in which the schedule has the
/// products leave the adders (tensor_schedule::products) is reported by the tensor unit, which has promised the result to others by then.
struct dot_product_protocol {
  using tlm_payload_type = dot_product_transfer;
  using tlm_phase_type = tlm::tlm_phase;
};

inline constexpr unsigned dot_product_link_width_bits = 32;

template <class Module>
using dot_product_initiator = tlm_utils::simple_initiator_socket<Module, dot_product_link_width_bits, dot_product_protocol>;
template <class Module>
using dot_product_target = tlm_utils::passthrough_target_socket_optional<Module, dot_product_link_width_bits, dot_product_protocol>;

}  // namespace tc::links
