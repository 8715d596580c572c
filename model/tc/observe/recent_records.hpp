// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace tc::observe {

/// What is to be remembered about the records that ended last, by their ids. An instruction may read what another wrote any time ago; who
/// wrote it long ago is of no interest, and memory has an end.
template <typename Value>
class recent_records {
 public:
  explicit recent_records(std::size_t capacity) : capacity_(capacity) {}

  /// The oldest one leaves when there are more than the capacity.
  void add(std::uint64_t id, const Value& value) {
    if (order_.size() < capacity_) {
      order_.push_back(id);
    } else {
      values_.erase(order_[oldest_]);
      order_[oldest_] = id;
      oldest_ = (oldest_ + 1) % capacity_;
    }
    values_.emplace(id, value);
  }

  const Value* find(std::uint64_t id) const {
    const auto found = values_.find(id);
    return found == values_.end() ? nullptr : &found->second;
  }

 private:
  std::size_t capacity_;
  std::size_t oldest_ = 0;
  std::vector<std::uint64_t> order_;  // a ring, once it is full
  boost::unordered_flat_map<std::uint64_t, Value> values_;
};

}  // namespace tc::observe
