// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <tc/accounting/run_result.hpp>
#include <tc/config/machine.hpp>
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

/// The kernels of a machine, in the order in which they run. Those of a run are all there from the beginning and stay; those of a platform
/// come one after the other, and each leaves when it has ended.
class kernel_queue {
 public:
  struct entry {
    std::unique_ptr<const kernel> of;
    accounting::kernel_result result;  ///< as far as it is known
  };

  kernel_queue() = default;
  explicit kernel_queue(kernel_list kernels);

  /// Appends a kernel and returns its number. Throws run_error if the machine cannot run it, or if its regions of global memory do not go
  /// with those of earlier ones; then nothing has changed.
  std::uint32_t submit(const kernel_source& source, const config::machine& machine);

  /// The first kernel that has not ended; null: all have.
  const kernel* next() const { return ended_ == end() ? nullptr : at(ended_).of.get(); }
  /// It has ended, and stays.
  void pass() { ++ended_; }
  /// It has ended, and leaves.
  entry take();

  entry& of(const kernel& which) { return entries_[which.number() - first_]; }
  /// Those that are here.
  const std::deque<entry>& entries() const { return entries_; }
  /// The number that the next one gets.
  std::uint32_t end() const { return first_ + static_cast<std::uint32_t>(entries_.size()); }
  /// Regions of global memory that submitted kernels have named.
  const memory_regions& regions() const { return regions_; }
  /// Forgets these regions.
  void forget_regions() { regions_.clear(); }

 private:
  const entry& at(std::uint32_t number) const { return entries_[number - first_]; }

  std::deque<entry> entries_;
  std::uint32_t first_ = 0;  // number of the first entry
  std::uint32_t ended_ = 0;  // kernels
  memory_regions regions_;
};

}  // namespace tc::device
