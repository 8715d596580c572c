// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>

#include <tc/isa/mma_operation.hpp>
#include <tc/links/matrix_shape.hpp>
#include <tc/links/request_link.hpp>

namespace tc::links {

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
  std::array<warp::lane_vector*, max_accumulator_registers> d{};        ///< of the result; until the answer
};

/// A tensor core's part of a matrix instruction: operands on the way in, and products on the way back.
struct fragment_transfer : timed_request {
  const matrix_work* work = nullptr;  ///< of all tensor cores
  octet_range octets{};               ///< of this one
};

/// Link `fragments` of a tensor core, of requests. A and C come from the operand buses when B is on its way to the buffers; A and B are
/// complete in the cycle `arrival`, and the tensor core reads B then. The answer is its sums, in its lanes of D: the last of them leaves
/// the adders in the cycle `complete`. That is not after schedule.products, which was promised to all who wait for the result; later ones
/// are reported. The sequencer sends only what the buffers have room for.
struct fragment_protocol {
  using tlm_payload_type = fragment_transfer;
  using tlm_phase_type = tlm::tlm_phase;
};

template <class Module>
using fragment_initiator = fabric::transfer_initiator<Module, fragment_protocol>;
template <class Module>
using fragment_target = tlm_utils::passthrough_target_socket_optional<Module, fabric::base_link_width_bits, fragment_protocol>;

/// What a tensor core asks its dot-product units: its sums of one matrix instruction. Pointers are null in a run without data.
struct dot_product_transfer : timed_request {
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

/// Link dot_products, of requests: from a tensor core, or from a warpgroup unit, to its dot-product units. A, B and C are complete in the
/// cycle `arrival`, and to be followed in the call alone: the units copy what they keep. D stays where it is until the answer, and is
/// written then. The model's own units leave `complete` as it is: stages of multipliers and adders are in the schedule of the instruction.
/// D that is complete after the cycle in which the schedule has the products leave the adders (tensor_schedule::products) is reported by
/// the tensor unit, which has promised the result to others by then.
struct dot_product_protocol {
  using tlm_payload_type = dot_product_transfer;
  using tlm_phase_type = tlm::tlm_phase;
};

template <class Module>
using dot_product_initiator = fabric::transfer_initiator<Module, dot_product_protocol>;
template <class Module>
using dot_product_target = tlm_utils::passthrough_target_socket_optional<Module, fabric::base_link_width_bits, dot_product_protocol>;

}  // namespace tc::links
