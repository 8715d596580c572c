#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>

#include <tc/device/unit_use.hpp>

namespace tc::device {

namespace {

/// A name in a path without the number behind it: "bank_0" is "bank".
std::string_view without_number(std::string_view name) {
  const auto end = name.find_last_not_of("0123456789");
  const bool numbered = end != std::string_view::npos && end + 1 < name.size() && name[end] == '_';
  return numbered ? name.substr(0, end) : name;
}

std::string kind_of(std::string_view path) {
  std::string kind;
  path.remove_prefix(std::min(path.find('.') + 1, path.size()));  // the GPU
  while (!path.empty()) {
    const auto length = std::min(path.find('.'), path.size());
    const std::string_view name = without_number(path.substr(0, length));
    path.remove_prefix(std::min(length + 1, path.size()));
    if (name == "sm" || name == "sub_core") continue;
    if (!kind.empty()) kind += '.';
    kind += name;
  }
  return kind;
}

/// The cause in the name of a statistic such as "idle_wait_mask".
std::optional<subcore::stall_cause> idle_cause(std::string_view statistic) {
  constexpr std::string_view prefix = "idle_", issued = "issued";
  if (statistic.substr(0, prefix.size()) != prefix) return std::nullopt;
  const std::string_view name = statistic.substr(prefix.size());
  if (name == issued) return subcore::stall_cause::none;
  const auto* const found = std::find(subcore::stall_cause_names.begin(), subcore::stall_cause_names.end(), name);
  if (found == subcore::stall_cause_names.end()) return std::nullopt;
  return static_cast<subcore::stall_cause>(found - subcore::stall_cause_names.begin());
}

}  // namespace

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
  if (value.name == "busy_cycles") {
    in_unit_ = true;
    units_.push_back({std::string(path_), kind_of(path_), value.value, 0});
  } else if (const auto cause = idle_cause(value.name); cause && in_unit_) {
    units_.back().has_causes = true;
    units_.back().idle[static_cast<unsigned>(*cause)] += value.value;
  }
}

/// A slow unit may hold its input longer than its last instruction takes: what is busy ends with the run.
void unit_use_collector::end_object() {
  if (!in_unit_) return;
  unit_use& unit = units_.back();
  const std::uint64_t explained = std::accumulate(unit.idle.begin(), unit.idle.end(), std::uint64_t{0});
  unit.busy_cycles = std::min<std::uint64_t>(unit.busy_cycles, cycles_ - explained);
  unit.idle_cycles = cycles_ - unit.busy_cycles;
  if (unit.has_causes) unit.idle[static_cast<unsigned>(subcore::stall_cause::no_warp)] += unit.idle_cycles - explained;
}

std::vector<unit_kind_use> unit_use_collector::kinds() const {
  std::vector<unit_kind_use> kinds;
  for (const unit_use& unit : units_) {
    if (unit.busy_cycles == 0) continue;
    auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const unit_kind_use& known) { return known.kind == unit.kind; });
    if (kind == kinds.end()) kind = kinds.insert(kind, {unit.kind, 0, 0, {}, 0});
    ++kind->units;
    kind->busy_cycles += unit.busy_cycles;
    std::transform(unit.idle.begin(), unit.idle.end(), kind->idle.begin(), kind->idle.begin(), std::plus<>());
  }
  for (unit_kind_use& kind : kinds) kind.utilisation = static_cast<double>(kind.busy_cycles) / (static_cast<double>(cycles_) * kind.units);
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& x, const auto& y) { return x.utilisation > y.utilisation; });
  return kinds;
}

}  // namespace tc::device
