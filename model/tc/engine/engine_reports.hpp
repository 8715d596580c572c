#pragma once

namespace tc::engine::report {

// Message types of the warpgroup operand feed.
inline constexpr const char* warpgroup_mismatch = "/tc/warpgroup/mismatch";  ///< the warps of a warpgroup issue different instructions
inline constexpr const char* warpgroup_window = "/tc/warpgroup/window";      ///< a matrix outside the CTA's shared memory
inline constexpr const char* warpgroup_memory = "/tc/warpgroup/memory";      ///< shared memory answered with an error

// Of the allocation unit.
inline constexpr const char* allocation_rule = "/tc/allocation/rule";      ///< an allocation or deallocation that breaks a rule
inline constexpr const char* allocation_left = "/tc/allocation/left";      ///< a CTA ends with columns of tensor memory
inline constexpr const char* allocation_memory = "/tc/allocation/memory";  ///< shared memory answered with an error

}  // namespace tc::engine::report
