#include <algorithm>
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

}  // namespace

double unit_use::utilisation() const {
  const std::uint64_t cycles = busy_cycles + idle_cycles;
  return cycles == 0 ? 0.0 : static_cast<double>(busy_cycles) / static_cast<double>(cycles);
}

unit_use_collector::unit_use_collector(fabric::cycle_t cycles) : cycles_(cycles) { fabric::collect_statistics(*this); }

void unit_use_collector::record(const fabric::statistic& value) {
  if (value.name != "busy_cycles") return;
  // A slow unit may hold its input longer than its last instruction takes.
  const std::uint64_t busy = std::min<std::uint64_t>(value.value, cycles_);
  units_.push_back({std::string(path_), kind_of(path_), busy, cycles_ - busy});
}

std::vector<unit_kind_use> unit_use_collector::kinds() const {
  std::vector<unit_kind_use> kinds;
  for (const unit_use& unit : units_) {
    if (unit.busy_cycles == 0) continue;
    auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const unit_kind_use& known) { return known.kind == unit.kind; });
    if (kind == kinds.end()) kind = kinds.insert(kind, {unit.kind, 0, 0, 0});
    ++kind->units;
    kind->busy_cycles += unit.busy_cycles;
  }
  for (unit_kind_use& kind : kinds) kind.utilisation = static_cast<double>(kind.busy_cycles) / (static_cast<double>(cycles_) * kind.units);
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& x, const auto& y) { return x.utilisation > y.utilisation; });
  return kinds;
}

}  // namespace tc::device
