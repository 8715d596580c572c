// SPDX-License-Identifier: Apache-2.0
#include "tensor_memory_picture.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <tc/observe/record_attributes.hpp>

namespace tc::observe {

namespace json = boost::json;

namespace {

constexpr std::array<std::string_view, 3> kinds{"write", "shift", "clear"};

unsigned small(const fabric::record_event& event, std::string_view name) { return static_cast<unsigned>(attribute_number(event, name)); }

}  // namespace

/// Whether this and the change before it are one rectangle that an instruction wrote in one go.
bool tensor_memory_picture::change::continues(const change& other) const {
  if (kind != 0 || other.kind != 0 || stream != other.stream || parent != other.parent || cycle != other.cycle) return false;
  const bool next_lanes = first_column == other.first_column && columns == other.columns && first_lane == other.first_lane + other.lanes;
  const bool next_columns = first_lane == other.first_lane && lanes == other.lanes && first_column == other.first_column + other.columns;
  return next_lanes || next_columns;
}

/// The memory is the place that the chunk is in.
std::vector<tensor_memory_picture::change>& tensor_memory_picture::changes_of(const fabric::record_stream& stream) {
  const std::string& path = stream.path();
  return memories_[path.substr(0, path.rfind('.'))];
}

void tensor_memory_picture::begin(const fabric::record_event& event) {
  auto& changes = changes_of(*event.stream);
  const auto* const kind = std::find(kinds.begin(), kinds.end(), attribute_text(event, "kind"));
  if (kind == kinds.end()) return;
  const change made{event.cycle,
                    static_cast<std::size_t>(kind - kinds.begin()),
                    small(event, "first_lane"),
                    small(event, "lanes"),
                    small(event, "first_column"),
                    small(event, "columns"),
                    texts_.of_instruction(event.parent),
                    event.parent,
                    event.stream};
  if (!changes.empty() && made.continues(changes.back())) {
    change& last = changes.back();
    if (made.first_column == last.first_column && made.first_lane != last.first_lane)
      last.lanes += made.lanes;
    else
      last.columns += made.columns;
    return;
  }
  if (++changes_ <= most_changes) changes.push_back(made);
}

json::array tensor_memory_picture::json() const {
  json::array list;
  for (const auto& [path, changes] : memories_) {
    auto sorted = changes;
    std::stable_sort(sorted.begin(), sorted.end(), [](const change& x, const change& y) { return x.cycle < y.cycle; });
    json::array numbers;
    for (const change& each : sorted)
      numbers.push_back(json::array{each.cycle, each.kind, each.first_lane, each.lanes, each.first_column, each.columns, each.text});
    list.push_back({{"path", path}, {"changes", std::move(numbers)}});
  }
  return list;
}

}  // namespace tc::observe
