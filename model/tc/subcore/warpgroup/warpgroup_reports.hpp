#pragma once

namespace tc::subcore::report {

// Message types of the warpgroup unit.
inline constexpr const char* warpgroup_accumulator = "/tc/warpgroup/accumulator";  ///< a register bank refused accumulators

}  // namespace tc::subcore::report
