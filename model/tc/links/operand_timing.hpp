// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include <tc/fabric/clocked.hpp>
#include <tc/isa/instruction.hpp>

namespace tc::links {

using fabric::cycle_t;

/// How long after its issue an instruction reads its operands: what dependences have to allow for. A property of the operand fetch, the
/// same through a whole run.
struct operand_timing {
  cycle_t issue_to_dispatch_cycles = 6;  ///< from issue to the operands of most instructions at their unit, if nothing is in the way
  cycle_t tensor_lead_cycles = 0;        ///< how much earlier a matrix instruction takes its operands
  bool operands_wait = false;            ///< operands may be read any time after issue; until then nobody may overwrite them

  /// Cycles from the issue of an instruction to the earliest moment at which it may read an operand.
  cycle_t earliest_read(const isa::instruction& code) const {
    if (operands_wait) return 1;
    const bool streams = isa::unit_of(code.op) == isa::execution_unit::tensor;
    return issue_to_dispatch_cycles - (streams ? tensor_lead_cycles : 0);
  }

  /// The earliest issue of a consumer that sees a result which is visible from the cycle `result` on, whatever the consumer's unit.
  cycle_t earliest_consumer(cycle_t result) const {
    if (operands_wait) return result;
    return result - std::min(result, issue_to_dispatch_cycles - tensor_lead_cycles);
  }
};

}  // namespace tc::links
