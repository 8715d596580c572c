// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tc/fabric/clocked.hpp>
#include <tc/isa/instruction.hpp>

namespace tc::links {

using fabric::cycle_t;

/// Operands that an instruction reads behind its others: compiled code lets their producers come that much later.
struct late_operands {
  cycle_t wide_addend_cycles = 0;        ///< the upper half of the addend of IMAD.WIDE and IMAD.HI
  cycle_t store_data_cycles = 0;         ///< what a store writes
  cycle_t double_conversion_cycles = 0;  ///< the f64 value that the special-function unit converts, or its upper half

  bool are_none() const { return wide_addend_cycles == 0 && store_data_cycles == 0 && double_conversion_cycles == 0; }

  /// Of register `number` of an operand, which has `count` vector registers and stands in a slot of the operand fetch.
  cycle_t cycles(const isa::instruction& code, std::uint8_t slot, unsigned count, unsigned number) const;
};

/// How long after its issue an instruction reads its operands: what dependences have to allow for. A property of the operand fetch, the
/// same through a whole run.
struct operand_timing {
  cycle_t issue_to_dispatch_cycles = 6;  ///< from issue to the operands of most instructions at their unit, if nothing is in the way
  cycle_t tensor_lead_cycles = 0;        ///< how much earlier a matrix instruction takes its operands
  bool operands_wait = false;            ///< operands may be read any time after issue; until then they may not be overwritten
  late_operands late{};
  cycle_t other_pipe_cycles = 0;  ///< by which a result comes later to another pipe than to its own
  cycle_t guard_lead_cycles = 0;  ///< by which a guard must be there before its instruction issues

  /// Whether a read is that of the guard, which decides at issue which lanes execute.
  static bool is_guard(const isa::instruction& code, const isa::register_use& use) {
    return use.file == code.guard.file && use.index == code.guard.index;
  }

  /// Cycles from the issue of an instruction to the earliest moment at which it may read an operand.
  cycle_t earliest_read(const isa::instruction& code) const {
    if (operands_wait) return 1;
    const bool streams = isa::unit_of(code.op) == isa::execution_unit::tensor;
    return issue_to_dispatch_cycles - (streams ? tensor_lead_cycles : 0);
  }
  /// Cycles from the issue of an instruction to the last cycle in which a result may become visible that register `number` of one of its
  /// reads is to see; negative: before the issue. `producer`: the unit whose result it is, if it comes over the bypass at a promised time;
  /// else none.
  std::int64_t read_offset(isa::execution_unit producer, const isa::instruction& code, const isa::register_use& use, unsigned number) const;

  /// A result that was visible so long before an instruction issues is seen by any of its reads.
  cycle_t longest_lead() const { return std::max(other_pipe_cycles, guard_lead_cycles); }

  /// The earliest issue of a consumer that sees a result which is visible from the cycle `result` on, whatever the consumer's unit.
  cycle_t earliest_consumer(cycle_t result) const {
    if (operands_wait) return result;
    return result - std::min(result, issue_to_dispatch_cycles - tensor_lead_cycles);
  }
  /// The same of an instruction's result. A predicate may be the guard of its consumer.
  cycle_t earliest_consumer(const isa::instruction& code, cycle_t result) const {
    const bool has_predicate = std::any_of(code.writes.begin(), code.writes.end(), [](const isa::register_use& use) {
      return use.file == isa::register_file::predicate || use.file == isa::register_file::uniform_predicate;
    });
    return has_predicate ? result : earliest_consumer(result);
  }
};

}  // namespace tc::links
