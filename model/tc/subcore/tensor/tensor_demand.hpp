// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/subcore/tensor/b_buffer_layout.hpp>
#include <tc/subcore/tensor/product_layout.hpp>

namespace tc::subcore {

/// What one matrix instruction asks of the tensor cores, in cycles from its dispatch. The instruction passes
///
///   operand buses    A and B, then they are complete; C may follow by as many cycles as the multipliers have stages. HMMA.884 brings one
///                    row of A in each beat, and begins to compute with the first (Raihan et al., ISPASS 2019)
///   sequencer        starts the four octets (threadgroups X and X + 4) one after the other
///   dot-product      each threadgroup computes its outputs in beats of one cycle, in which its units do as many multiply-accumulates as
///   units            they can; k beyond one register of B is a further pass, whose sums go through the adders again. Behind elements
///                    under a byte they may need some cycles before the next instruction
///   pipeline         multiply, adder and result stages
///
/// Where f32 accumulations are throttled, the adders take no products before the sums of the instruction before have left, and an
/// accumulator tile is held for so long that the tiles in turn give the throttled rate. The latency is that of other instructions.
///
/// f64 has fused multiply-add units of its own, and each sum is a chain in ascending k. A step of the chain takes as long as a unit's
/// pipeline, or as the outputs of a threadgroup need if they are more: with few outputs units stand idle, and m8n8k4 takes as long as
/// m16n8k4 on Hopper. It starts with the first four k, whose A and B, and C, have come one after the other if A and B share a bus
/// (intervals and latencies of four shapes recorded on an H200).
struct tensor_demand {
  unsigned transfer = 0;                             ///< the operand buses are taken
  unsigned fill = 0;                                 ///< A and B are complete: computing starts
  unsigned compute = 0;                              ///< from that start on, the dot-product units or the sequencer are taken
  unsigned accumulate = 0;                           ///< the accumulator tile is taken
  unsigned beats = 0;                                ///< cycles in which the dot-product units of a threadgroup start products
  unsigned products = 0;                             ///< the last sum leaves the adders
  unsigned result = 0;                               ///< a consumer sees the result: the latency
  std::array<unsigned, max_b_buffers> b_transfer{};  ///< the transfer into each B buffer begins
};

/// Bits of operands, of a whole warp.
struct operand_bits {
  unsigned carried = 0;  ///< registers that the buses bring: 32 bits of every lane
  unsigned used = 0;     ///< elements of A, B and C among them that the dot-product units take
};

/// The demand of an operation that the tensor cores support.
tensor_demand demand_of(const product_layout& layout, const config::tensor_core_parameters& parameters);

operand_bits operand_bits_of(const product_layout& layout);

}  // namespace tc::subcore
