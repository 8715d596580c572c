// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tcsim {

/// Where a kernel's memory may begin if that of the kernel before it ends at `end`: so far apart that no kernel of a run finds translations
/// of addresses that another one has brought.
constexpr std::uint64_t region_behind(std::uint64_t end) {
  constexpr std::uint64_t region_bytes = std::uint64_t{1} << 26;
  return (end + region_bytes - 1) / region_bytes * region_bytes;
}

}  // namespace tcsim
