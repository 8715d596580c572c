// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tc/execution/memory_spaces.hpp>
#include <tc/launches/launch.hpp>

namespace tc::execution {

/// An element that is not what was recorded.
struct memory_difference {
  std::uint64_t address = 0;
  std::uint64_t got = 0, expected = 0;
  unsigned bytes = 4;  ///< of the element
};

struct memory_comparison {
  static constexpr std::size_t most_kept = 8;

  std::uint64_t bytes = 0;                     ///< compared
  std::uint64_t differing = 0;                 ///< elements of words, or of the type that a tolerance names, that are too far away
  std::uint64_t within = 0;                    ///< elements that are not the same, but within the tolerance
  double largest_distance = 0;                 ///< of elements under a tolerance, in units in the last place
  unsigned recorded = 0;                       ///< allocations whose content after the launch was recorded
  std::vector<memory_difference> differences;  ///< the first ones

  bool is_exact() const { return differing == 0 && within == 0; }
};

/// Compares memory behind a launch with what was recorded. An allocation without a recording must hold what it held before if any other one
/// has a recording; if none has, nothing is compared. A tolerance of n roundings lets an element differ by n units in the last place of
/// the larger of the two or, if that is larger, of the root mean square of what was recorded. Throws study::vector_error if a recording
/// cannot be read.
memory_comparison compare(const launches::launch& launch, const global_memory& memory);

}  // namespace tc::execution
