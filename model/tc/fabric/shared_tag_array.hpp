// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <tc/fabric/tag_array.hpp>

namespace tc::fabric {

/// The tags of a cache that several units ask in one cycle. A sector that one of them has asked for in a cycle is found from the next cycle
/// on [inferred: no recording shows it], so that it does not matter which of them calls first: all those of a cycle wait for the next
/// level.
class shared_tag_array {
 public:
  explicit shared_tag_array(const tag_array::shape& s) : tags_(s) {}

  /// As tag_array::find(), asked in `cycle`, which is not before that of another call.
  std::optional<cycle_t> find(std::uint64_t address, cycle_t cycle) {
    const std::optional<cycle_t> found = tags_.find(address);
    return found && is_of(address, cycle) ? std::nullopt : found;
  }

  /// As tag_array::fill(), for what has not been found in `cycle`.
  void fill(std::uint64_t address, cycle_t arrival, cycle_t cycle) {
    tags_.fill(address, arrival);
    if (std::exchange(filled_in_, cycle) != cycle) filled_.clear();
    filled_.push_back(tags_.sector_of(address));
  }

  /// Nothing is there any more.
  void clear() {
    tags_.clear();
    filled_.clear();
  }

 private:
  bool is_of(std::uint64_t address, cycle_t cycle) const {
    return filled_in_ == cycle && std::find(filled_.begin(), filled_.end(), tags_.sector_of(address)) != filled_.end();
  }

  tag_array tags_;
  cycle_t filled_in_ = 0;
  std::vector<std::uint64_t> filled_;  ///< sectors that were brought in in that cycle
};

}  // namespace tc::fabric
