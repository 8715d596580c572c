// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/fabric/clocked.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/links/matrix_shape.hpp>

namespace tc::links {

using fabric::cycle_t;

/// When one matrix instruction is where in the tensor cores, in cycles of the SM clock, and which tiles of the operand buffers it has.
struct tensor_schedule {
  cycle_t dispatch = 0;             ///< its operands are at the buses, its tiles begin to fill
  cycle_t compute = 0;              ///< A and B are complete, the first octet starts
  cycle_t release = 0;              ///< its tiles of A and B can be filled again, the next instruction can start
  cycle_t accumulator_release = 0;  ///< so can its accumulator tile
  cycle_t busy_from = 0;            ///< in the account of the units, where instructions at their rate follow each other without a gap
  cycle_t busy_until = 0;
  cycle_t products = 0;  ///< its last sum leaves the adders
  cycle_t result = 0;    ///< a consumer dispatched in this cycle sees the result
  unsigned a_tile = 0;
  unsigned accumulator_tile = 0;
  unsigned b_tile = 0;
  unsigned beats = 0;  ///< cycles in which the dot-product units start products
};

/// A matrix instruction in the tensor cores, of which each has a part. Registers stand at their warp lanes; a tensor core takes and gives
/// those of its own threadgroups alone. Pointers to registers are null in a run without data.
struct matrix_work {
  const isa::mma_operation* mma = nullptr;
  tensor_schedule schedule{};
  std::uint64_t record = 0;                                             ///< id of the instruction's record; 0: none is kept
  unsigned b_registers = 0;                                             ///< of its tile in each B buffer
  std::array<const warp::lane_vector*, max_a_registers> a{};            ///< to be followed in the call that fills the buffers
  std::array<const warp::lane_vector*, max_accumulator_registers> c{};  ///< likewise
  std::array<warp::lane_vector*, max_accumulator_registers> d{};        ///< of the result; until the products have been sent
};

/// What travels between the operand buses and a tensor core: its part of a matrix instruction, on the way in with operands and on the way
/// out with products. The tensor core sends back what it has got, which stays where it is until then.
struct fragment_transfer {
  const matrix_work* work = nullptr;  ///< of all tensor cores
  octet_range octets{};               ///< of this one
  cycle_t arrival = 0;                ///< on `fill`: A and B are complete
  cycle_t complete = 0;               ///< on `products`: the last sum leaves the adders
};

/// Dataflow links of the tensor unit; nb_transport_fw only. Time is in the transfer, in cycles; the annotated delay is zero.
///
///   fill      operand buses -> tensor core. BEGIN_REQ when B is on its way to the buffers. In the cycle `arrival` the tensor core reads B.
///   products  tensor core -> result assembly. BEGIN_REQ, with its sums in its lanes of D. They are not `complete` after the cycle
///             schedule.products, which was promised to all who wait for the result; later ones are reported.
///
/// All calls are answered TLM_COMPLETED: the sequencer sends only what the buffers have room for. Nothing travels backward, so there is no
/// nb_transport_bw.
struct fragment_protocol {
  using tlm_payload_type = fragment_transfer;
  using tlm_phase_type = tlm::tlm_phase;
};

inline constexpr unsigned fragment_link_width_bits = 32;

template <class Module>
using fragment_initiator = tlm_utils::simple_initiator_socket<Module, fragment_link_width_bits, fragment_protocol>;
template <class Module>
using fragment_target = tlm_utils::passthrough_target_socket_optional<Module, fragment_link_width_bits, fragment_protocol>;
template <class Module>
using fragment_tagged_target =
    tlm_utils::passthrough_target_socket_tagged_optional<Module, fragment_link_width_bits, fragment_protocol>;  ///< one of several

/// What a tensor core asks its dot-product units: its sums of one matrix instruction. Pointers are null in a run without data.
struct dot_product_transfer {
  const isa::mma_operation* mma = nullptr;  ///< types of the elements and what is done with them; m, n are those of the whole warp
  product_shape shape{};
  const std::uint32_t* a = nullptr;  ///< elements in ascending k, packed into words: word w of row r at a[w * rows + r]
  const std::uint32_t* b = nullptr;  ///< packed likewise: word w of column n at b[n * words of a column + w]
  const std::uint32_t* c = nullptr;  ///< element (r, n) at c[n * rows + r], bits of 16 in the low half; of f64 two words, the low one first
  std::uint32_t* d = nullptr;        ///< as c
  cycle_t arrival = 0;               ///< A, B and C are complete
  cycle_t complete = 0;              ///< D is

  // Words of one product.
  unsigned a_words() const { return shape.rows * shape.k * isa::bits(mma->a) / 32; }
  unsigned b_words() const { return shape.columns * shape.k * isa::bits(mma->b) / 32; }
  unsigned d_words() const { return shape.rows * shape.columns * (isa::bits(mma->d) == 64 ? 2 : 1); }  ///< and of C
};

/// Dataflow link dot_products: from a tensor core, or from a warpgroup unit, to its dot-product units; not blocking.
///
/// Time is in the transfer, in cycles; the annotated delay is zero. nb_transport_fw with BEGIN_REQ; the sender sets `complete` to
/// `arrival`. A, B and C are to be followed in the call alone: the units copy what they keep. The transfer, and D in it, stay where they
/// are until the answer:
///
///   TLM_COMPLETED   D is written. Units that take time of their own set `complete`. The model's own leave it: stages of multipliers and
///                   adders are in the schedule of the instruction.
///   TLM_UPDATED     the same, with the phase BEGIN_RESP.
///   TLM_ACCEPTED    D follows: nb_transport_bw with BEGIN_RESP, once D is written. It is complete then at the earliest, or later if the
///                   units set `complete`. That call is answered TLM_COMPLETED, and ends the transaction.
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
