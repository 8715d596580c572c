// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <tc/device/kernel.hpp>

namespace tc::device {

/// The regions of global memory that kernels have named, of each the first one that did. Regions of a kernel do not overlap; those of
/// several are the same or apart.
class memory_regions {
 public:
  /// Throws run_error if a kernel's region cuts across one of those before it.
  void check(const kernel& later) const;
  /// Throws run_error if a kernel expects bytes that are in none of the regions. Its own have been added.
  void check_expectations(const kernel& expecting) const;
  void add(const kernel& next);
  /// Forgets the regions.
  void clear() { known_.clear(); }

  std::size_t size() const { return known_.size(); }

 private:
  struct region {
    std::uint64_t bytes;
    std::string file;
  };
  using region_map = std::map<std::uint64_t, region>;

  /// The first region that ends behind an address.
  region_map::const_iterator first_behind(std::uint64_t address) const;

  region_map known_;  // by base; they do not overlap
};

}  // namespace tc::device
