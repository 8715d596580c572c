#pragma once

#include <array>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/isa/mma_operation.hpp>

namespace tc::subcore {

/// Most tensor cores of a sub-core, and so most B buffers.
inline constexpr unsigned max_tensor_cores = 4;

/// Threadgroups of a warp: threadgroup g is the lanes 4g to 4g + 3.
inline constexpr unsigned threadgroups_per_warp = 8, lanes_per_threadgroup = 4;

/// What one matrix instruction asks of the tensor cores, in cycles from its dispatch. The instruction passes
///
///   operand buses    A and B, then they are complete; C may follow by as many cycles as the multipliers have stages
///   sequencer        starts the four octets (threadgroups X and X + 4) one after the other
///   dot-product      each threadgroup computes its outputs in beats of one cycle, in which its units do as many multiply-accumulates as
///   units            they can; k beyond one register of B is a further pass, whose sums go through the adders again
///   pipeline         multiply, adder and result stages
struct tensor_demand {
  unsigned transfer = 0;                                ///< the operand buses are taken
  unsigned fill = 0;                                    ///< A and B are complete: computing starts
  unsigned compute = 0;                                 ///< from that start on, the dot-product units or the sequencer are taken
  unsigned beats = 0;                                   ///< cycles in which the dot-product units of a threadgroup start products
  unsigned products = 0;                                ///< the last sum leaves the adders
  unsigned result = 0;                                  ///< a consumer sees the result: the latency
  std::array<unsigned, max_tensor_cores> b_transfer{};  ///< the transfer into each B buffer begins
};

/// Multiply-accumulates that one dot-product unit does in a cycle on elements of this type; 0 if it cannot.
unsigned multiply_accumulates_per_cycle(const config::dot_product_unit_parameters& unit, isa::element_type type);

/// B buffers of a sub-core: one for all tensor cores, or one each.
inline unsigned b_buffer_count(const config::tensor_core_parameters& parameters) {
  return parameters.b_buffer.shared ? 1 : parameters.count;
}

/// The demand of an operation that the tensor cores support.
tensor_demand demand_of(const isa::mma_operation& mma, const config::tensor_core_parameters& parameters);

}  // namespace tc::subcore
