// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/fabric/clocked.hpp>

namespace tc::links {

using fabric::cycle_t;

/// When one matrix instruction is where in the tensor cores, in cycles of the SM clock, and which tiles of the operand buffers it has.
struct tensor_schedule {
  cycle_t dispatch = 0;             ///< its operands are at the buses, its tiles begin to fill
  cycle_t compute = 0;              ///< A and B are complete, the first octet starts
  cycle_t release = 0;              ///< its tiles of A and B can be filled again, the next instruction can start
  cycle_t accumulator_release = 0;  ///< so can its accumulator tile
  cycle_t products = 0;             ///< its last sum leaves the adders
  cycle_t result = 0;               ///< a consumer dispatched in this cycle sees the result
  unsigned a_tile = 0;
  unsigned accumulator_tile = 0;
  unsigned b_tile = 0;
  unsigned place = 0;  ///< where the result assembly waits for its products, which may be longer than it has its tiles
  unsigned beats = 0;  ///< cycles in which the dot-product units start products
};

}  // namespace tc::links
