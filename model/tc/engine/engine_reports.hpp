// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/links/asynchronous_links.hpp>

namespace tc::engine::report {

// Message types of the warpgroup operand feed.

/// The four warps of a warpgroup issue different instructions where they must issue the same.
/// Cure: Give all four warps the same sequence of `wgmma` instructions and descriptors (PTX ISA, wgmma: `.sync.aligned`).
inline constexpr const char* warpgroup_mismatch = "/tc/warpgroup/mismatch";

/// Shared memory answered a read of a wgmma operand with an error.
/// Cure: Correct the unit that stands for shared memory.
inline constexpr const char* warpgroup_memory = "/tc/warpgroup/memory";

// Of the allocation unit.

/// An allocation or deallocation of tensor memory breaks a rule of PTX.
/// Cure: Allocate 32, 64, 128, 256 or 512 columns; deallocate what was allocated, with its size, before permits are given up.
inline constexpr const char* allocation_rule = "/tc/allocation/rule";

/// A CTA ends while it still has columns of tensor memory.
/// Cure: Deallocate all columns with `tcgen05.dealloc` before the last warp exits.
inline constexpr const char* allocation_left = "/tc/allocation/left";

/// Shared memory answered the write of an allocation's address with an error.
/// Cure: Correct the unit that stands for shared memory.
inline constexpr const char* allocation_memory = "/tc/allocation/memory";

}  // namespace tc::engine::report

namespace tc::engine {

/// What is wrong with an mbarrier, for a sentence that begins with it.
inline const char* text_of(links::barrier_response response) {
  switch (response) {
    case links::barrier_response::not_initialised:
      return "is not initialised: mbarrier.init comes first";
    case links::barrier_response::overflow:
      return "cannot count so many bytes";
    case links::barrier_response::bad_address:
      return "lies outside shared memory, or not at a multiple of 8";
    default:
      return "is fine";
  }
}

}  // namespace tc::engine
