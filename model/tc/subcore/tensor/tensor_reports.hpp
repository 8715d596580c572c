// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tc::subcore::report {

// Message types of the tensor unit.

/// A B buffer refused a fill or a read.
/// Cure: Correct the unit that stands for the B buffer: it holds as many tiles as its configuration says.
inline constexpr const char* tensor_operand = "/tc/tensor/operand";

/// An operand buffer is filled where it holds the operands of another instruction.
/// Cure: Correct the unit that sends the fragments: it gives an instruction no tile that another one holds.
inline constexpr const char* tensor_tile = "/tc/tensor/tile";

/// A tile of B or products come after the cycle in which they are due.
/// Cure: Let the unit that stands for the B buffer or the dot-product units answer within the configured latency.
inline constexpr const char* tensor_late = "/tc/tensor/late";

/// Dot-product units send what their link does not allow.
/// Cure: Complete each product in its call, with as many sums as were asked for (docs/units.md).
inline constexpr const char* tensor_answer = "/tc/tensor/answer";

}  // namespace tc::subcore::report
