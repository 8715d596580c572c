#pragma once

#include <tc/subcore/links/barrier_transfer.hpp>

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

namespace tc::engine {

/// What is wrong with an mbarrier, for a sentence that begins with it.
inline const char* text_of(subcore::barrier_response response) {
  switch (response) {
    case subcore::barrier_response::not_initialised:
      return "is not initialised: mbarrier.init comes first";
    case subcore::barrier_response::overflow:
      return "cannot count so many bytes";
    case subcore::barrier_response::bad_address:
      return "lies outside shared memory, or not at a multiple of 8";
    default:
      return "is fine";
  }
}

}  // namespace tc::engine
