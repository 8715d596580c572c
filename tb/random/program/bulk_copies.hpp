// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "memory_accesses.hpp"

namespace tcsim::random_programs {

/// Adds bulk copies between both memories to a warp, and waits for them.
class bulk_copies {
 public:
  explicit bulk_copies(random_numbers& random) : random_(random) {}

  /// From global to shared memory; `barrier` is the address of an mbarrier of the warp's own that expects one arrival, of which this waits
  /// for the phase of `parity`. False if there are no blocks for it.
  bool add_loads(warp_text& warp, const warp_blocks& shared, const warp_blocks& global, std::uint32_t barrier, bool parity);
  /// From shared to global memory.
  void add_stores(warp_text& warp, const warp_blocks& shared, const warp_blocks& global);

 private:
  struct part {
    std::uint64_t shared, global;
    unsigned bytes;
  };
  part random_part(const std::vector<std::uint64_t>& shared, const std::vector<std::uint64_t>& global);

  random_numbers& random_;
};

}  // namespace tcsim::random_programs
