#pragma once

namespace tc::engine::report {

// Message types of the warpgroup operand feed.
inline constexpr const char* warpgroup_mismatch = "/tc/warpgroup/mismatch";  ///< the warps of a warpgroup issue different instructions
inline constexpr const char* warpgroup_window = "/tc/warpgroup/window";      ///< a matrix outside the CTA's shared memory
inline constexpr const char* warpgroup_memory = "/tc/warpgroup/memory";      ///< shared memory answered with an error

}  // namespace tc::engine::report
