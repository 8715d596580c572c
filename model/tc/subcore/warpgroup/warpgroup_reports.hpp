#pragma once

namespace tc::subcore::report {

// Message types of the warpgroup unit.
inline constexpr const char* warpgroup_accumulator = "/tc/warpgroup/accumulator";  ///< a register bank refused accumulators
inline constexpr const char* warpgroup_late = "/tc/warpgroup/late";                ///< sums after the cycle in which they were due

}  // namespace tc::subcore::report
