// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <tc/fabric/clock_domain.hpp>

namespace tc::links {

/// The stages of an edge, in their order (fabric::clocked): from outside, through the asynchronous units of an SM, which work behind the
/// warps, and then down the pipeline of its sub-cores.
enum class edge_stage : unsigned {
  platform,  ///< what brings kernels and memory from outside
  barriers,
  bulk_copies,
  operand_feed,
  tensor_engine,
  tensor_copies,
  tensor_products,
  tensor_allocation,
  issue,
  operands,
  memory,      ///< load-store units, and accesses to tensor memory
  assignment,  ///< of CTAs to SMs
};

/// Registers a unit in its stage (fabric::clock_domain::add()).
inline std::size_t add_unit(fabric::clock_domain& clock, fabric::clocked& unit, edge_stage stage) {
  return clock.add(unit, static_cast<unsigned>(stage));
}

}  // namespace tc::links
