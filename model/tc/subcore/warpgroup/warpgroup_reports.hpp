#pragma once

namespace tc::subcore::report {

// Message types of the warpgroup unit.
inline constexpr const char* warpgroup_accumulator = "/tc/warpgroup/accumulator";  ///< a register bank refused accumulators
inline constexpr const char* warpgroup_late = "/tc/warpgroup/late";                ///< sums after the cycle in which they were due
inline constexpr const char* warpgroup_answer = "/tc/warpgroup/answer";  ///< dot-product units send what their link does not allow

}  // namespace tc::subcore::report
