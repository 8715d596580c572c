// SPDX-License-Identifier: Apache-2.0
#include "unit_use.hpp"

#include <algorithm>

#include <tc/accounting/object_path.hpp>

namespace tc::accounting {

double unit_use::utilisation() const {
  const std::uint64_t cycles = busy_cycles + idle_cycles;
  return cycles == 0 ? 0.0 : static_cast<double>(busy_cycles) / static_cast<double>(cycles);
}

unit_use_collector::unit_use_collector(fabric::cycle_t cycles) : cycles_(cycles) { fabric::collect_statistics(*this); }

void unit_use_collector::begin_object(std::string_view path) {
  path_ = path;
  in_unit_ = false;
}

void unit_use_collector::record(const fabric::statistic& value) {
  if (value.kind == fabric::statistic_kind::busy) {
    in_unit_ = true;
    units_.push_back({std::string(path_), unit_kind(path_), value.value, 0});
  } else if (in_unit_ && value.name == "idle") {
    const auto cause = links::find_stall_cause(value.part);
    if (!cause) return;
    units_.back().has_causes = true;
    units_.back().idle[*cause] += value.value;
  }
}

/// A slow unit may hold its input longer than its last instruction takes: what is busy ends with the run.
void unit_use_collector::end_object() {
  if (!in_unit_) return;
  unit_use& unit = units_.back();
  const std::uint64_t explained = unit.idle.sum();
  unit.busy_cycles = std::min<std::uint64_t>(unit.busy_cycles, cycles_ - explained);
  unit.idle_cycles = cycles_ - unit.busy_cycles;
  if (unit.has_causes) unit.idle[links::stall_cause::no_warp] += unit.idle_cycles - explained;
}

std::vector<unit_kind_use> unit_use_collector::kinds() const {
  std::vector<unit_kind_use> kinds;
  for (const unit_use& unit : units_) {
    if (unit.busy_cycles == 0) continue;
    auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const unit_kind_use& known) { return known.kind == unit.kind; });
    if (kind == kinds.end()) kind = kinds.insert(kind, {unit.kind, 0, 0, {}, 0});
    ++kind->units;
    kind->busy_cycles += unit.busy_cycles;
    kind->idle += unit.idle;
  }
  for (unit_kind_use& kind : kinds) kind.utilisation = static_cast<double>(kind.busy_cycles) / (static_cast<double>(cycles_) * kind.units);
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& x, const auto& y) { return x.utilisation > y.utilisation; });
  return kinds;
}

}  // namespace tc::accounting
