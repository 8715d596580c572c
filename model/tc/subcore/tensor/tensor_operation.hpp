// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include <tc/config/make_dot_product.hpp>
#include <tc/config/tensor_core_parameters.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/links/mma_table.hpp>
#include <tc/numerics/dot_product.hpp>
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
  unsigned busy = 0;                                 ///< the same as the rate counts it: the interval of such instructions at their rate
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

/// Why these tensor cores do not compute an operation, naming the configuration key; empty if they do. `path` is where the configuration
/// has `parameters`.
std::string unsupported_reason(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters,
                               const std::string& path = "sm.sub_core.tensor_core");

/// The arithmetic of an operation. Throws std::invalid_argument, naming the configuration key, if the tensor cores do not have it.
numerics::dot_product dot_product_of(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic,
                                     config::operand_source source = config::operand_source::registers);

/// Why these tensor cores do not compute a warpgroup operation; empty if they do.
std::string unsupported_warpgroup_reason(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters,
                                         const std::string& path = "sm.sub_core.tensor_core");

/// A matrix operation that the tensor cores of a machine compute, with what they derive from it once.
class tensor_operation {
 public:
  /// Throws std::invalid_argument, with the reason, for an operation that they do not support.
  tensor_operation(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters);

  const isa::mma_operation& mma() const { return layout_->mma(); }
  const product_layout& layout() const { return *layout_; }
  const tensor_demand& demand() const { return demand_; }
  const operand_bits& bits() const { return bits_; }

  const links::product_shape& shape() const { return shape_; }  ///< of what a whole warp computes

  unsigned a_registers() const { return a_registers_; }                      ///< of a lane
  unsigned b_registers() const { return b_registers_; }                      ///< of a lane
  unsigned accumulator_registers() const { return accumulator_registers_; }  ///< of a lane
  std::uint64_t multiply_accumulates() const { return multiply_accumulates_; }
  unsigned b_buffer_registers() const { return b_buffer_registers_; }  ///< of its tile in a B buffer

 private:
  std::unique_ptr<const product_layout> layout_;
  links::product_shape shape_;
  tensor_demand demand_;
  operand_bits bits_;
  unsigned a_registers_, b_registers_, accumulator_registers_, b_buffer_registers_;
  std::uint64_t multiply_accumulates_;
};

/// A matrix operation, and how many instructions have done it. What every one of them counts alike in the unit that keeps this is worked
/// out from their number when statistics are collected.
struct counted_operation {
  tensor_operation operation;
  std::uint64_t instructions = 0;
};

using counted_operations = links::mma_table<counted_operation>;

}  // namespace tc::subcore
