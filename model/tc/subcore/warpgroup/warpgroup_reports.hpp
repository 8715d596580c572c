// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tc::subcore::report {

// Message types of the warpgroup unit.

/// A register bank refused accumulators of a wgmma instruction.
/// Cure: Correct the unit that stands for the register bank: its accumulator port takes reads and writes of whole rows.
inline constexpr const char* warpgroup_accumulator = "/tc/warpgroup/accumulator";

/// Sums of a wgmma instruction come after the cycle in which they are due.
/// Cure: Let dot-product units of your own answer within the latency that the configuration gives them.
inline constexpr const char* warpgroup_late = "/tc/warpgroup/late";

/// Dot-product units send a wgmma instruction what their link does not allow.
/// Cure: Complete each product in its call, with as many sums as were asked for (docs/units.md).
inline constexpr const char* warpgroup_answer = "/tc/warpgroup/answer";

}  // namespace tc::subcore::report
