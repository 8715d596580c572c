// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <utility>

#include <tc/fabric/recorder.hpp>

namespace tc::recording {

/// Something that takes time at one place, whose end is known later than its begin: a record from where it enters to where it leaves.
/// `Key` tells those that are there at once from each other.
template <class Key>
class stage_recorder {
 public:
  stage_recorder(fabric::recorder& records, std::string path, const fabric::record_type& type)
      : records_(records), stream_(records.add_stream(std::move(path), type)) {}

  void enters(const Key& key, fabric::cycle_t cycle, std::initializer_list<fabric::record_value> values, std::uint64_t parent) {
    if (records_.is_over()) return;
    inside_[key] = {records_.begin(stream_, cycle, values, parent), cycle};
  }
  /// Not before it entered; of what never did nothing is recorded.
  void leaves(const Key& key, fabric::cycle_t cycle) {
    const auto found = inside_.find(key);
    if (found == inside_.end()) return;
    records_.end(stream_, found->second.first, std::max(cycle, found->second.second));
    inside_.erase(found);
  }

 private:
  fabric::recorder& records_;
  const fabric::record_stream& stream_;
  std::unordered_map<Key, std::pair<std::uint64_t, fabric::cycle_t>> inside_;  // record, and where it begins
};

/// Stages of instructions, by the ids of their records.
using instruction_stage = stage_recorder<std::uint64_t>;

}  // namespace tc::recording
