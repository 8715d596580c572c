// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include <boost/container/static_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include <tc/fabric/record.hpp>

namespace tc::observe {

/// A record, kept from when its begin is told until it has ended and so has everything below it.
struct kept_record {
  static constexpr fabric::cycle_t not_yet = std::numeric_limits<fabric::cycle_t>::max();

  const fabric::record_stream* stream = nullptr;
  std::uint64_t id = 0;
  fabric::cycle_t begin = 0;
  fabric::cycle_t end = not_yet;
  kept_record* parent = nullptr;
  kept_record* instruction = nullptr;  ///< itself or the nearest one above it; null: it belongs to none
  bool in_window = true;               ///< of an instruction: it is one of the window
  std::size_t slot = 0;                ///< less than slots() of its listener; used again once the record is gone
  unsigned holders = 0;                ///< itself until it has ended, and the records directly below it
  kept_record* next_begin = nullptr;   ///< that begins in the same cycle and was told next
  kept_record* next_end = nullptr;     ///< the same of the end
  boost::container::static_vector<fabric::record_value, fabric::record_type::max_attributes> values;
};

/// Finds kept records by their ids. Most live as long as the next few thousand ids are given, and are found at the first place looked at.
class kept_record_index {
 public:
  void add(kept_record& record) {
    kept_record*& place = recent_[record.id % recent];
    if (place != nullptr) old_.emplace(place->id, place);
    place = &record;
  }
  /// Null: there is none.
  kept_record* find(std::uint64_t id) const {
    kept_record* const place = recent_[id % recent];
    if (place != nullptr && place->id == id) return place;
    const auto found = old_.find(id);
    return found == old_.end() ? nullptr : found->second;
  }
  void remove(const kept_record& record) {
    kept_record*& place = recent_[record.id % recent];
    if (place == &record)
      place = nullptr;
    else
      old_.erase(record.id);
  }
  template <typename Visit>
  void visit(Visit&& visitor) const {
    for (kept_record* record : recent_)
      if (record != nullptr) visitor(record);
    for (const auto& entry : old_) visitor(entry.second);
  }

 private:
  static constexpr std::size_t recent = 4096;

  std::array<kept_record*, recent> recent_{};
  boost::unordered_flat_map<std::uint64_t, kept_record*> old_;  // whose place another one has taken
};

}  // namespace tc::observe
