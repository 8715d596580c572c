// SPDX-License-Identifier: Apache-2.0
#include "run_limits.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include <tc/accounting/run_summary.hpp>
#include <tc/accounting/statistic_sum.hpp>
#include <tc/accounting/unit_use.hpp>
#include <tc/config/parameter_writer.hpp>

namespace tc::accounting {

namespace {

namespace json = boost::json;

/// A unit that is in use for so large a share of the cycles is at its rate: what is missing is the beginning and the end of a kernel.
constexpr double saturated = 0.9;

/// How large a share of the cycles the busiest unit of a kind was in use.
struct kind_share {
  std::string kind;
  double busy = 0;
};

/// Register banks have ports that instructions book ahead; on average, since they are not counted by bank.
double use_of_register_ports(cycle_t cycles, const config::machine& machine) {
  const statistic_sum read("operand_fetch", "registers_read");
  const config::register_file_parameters& file = machine.sm.sub_core.register_file;
  const double ports = static_cast<double>(cycles) * read.objects() * file.banks * file.read_ports;
  return ports == 0 ? 0 : std::min(1.0, static_cast<double>(read.sum()) / ports);
}

std::vector<kind_share> busiest_of_each_kind(cycle_t cycles, const config::machine& machine) {
  std::vector<kind_share> kinds{{"register ports", use_of_register_ports(cycles, machine)}};
  const unit_use_collector collected(cycles);
  for (const unit_use& unit : collected.units()) {
    auto found = std::find_if(kinds.begin(), kinds.end(), [&](const kind_share& each) { return each.kind == unit.kind; });
    if (found == kinds.end()) found = kinds.insert(found, {unit.kind, 0});
    found->busy = std::max(found->busy, unit.utilisation());
  }
  return kinds;
}

bool has(const limit_info& limit, const std::string& kind) {
  return std::find(limit.units.begin(), limit.units.end(), kind) != limit.units.end();
}

/// Cycles of warps by what they waited for.
class waiting {
 public:
  explicit waiting(const run_result& result) : stalls_(result.stalls), awaited_("scheduler", "awaited") {
    const stall_cycles slots = issue_slots_of(result.cycles).slots;
    if (slots.sum() > 0) alive_ = 1 - static_cast<double>(slots[links::stall_cause::no_warp]) / static_cast<double>(slots.sum());
    for (const warp_result& warp : result.warps) all_ += warp.instructions;
    all_ += stalls_.sum();
  }

  /// The share of the cycles in which a sub-core with warps had one.
  double alive() const { return alive_; }

  double share_for(const limit_info& limit) const {
    std::uint64_t cycles = 0;
    for (const links::stall_cause cause : limit.causes) cycles += stalls_[cause];
    for (const links::result_source source : limit.sources) cycles += awaited_.part(links::result_source_table[index(source)].key);
    return all_ == 0 ? 0 : std::min(1.0, static_cast<double>(cycles) / static_cast<double>(all_));
  }

 private:
  const stall_cycles& stalls_;
  statistic_sum awaited_;
  std::uint64_t all_ = 0;
  double alive_ = 0;
};

run_limit limit_of(const limit_info& info, const waiting& warps, const std::vector<kind_share>& kinds) {
  run_limit limit{&info, warps.share_for(info), warps.alive()};
  for (const kind_share& each : kinds) {
    const bool is_its_own = has(info, each.kind);
    if (is_its_own) limit.busy = std::max(limit.busy, each.busy);
    if (!is_its_own || info.is == limit_info::kind::latency) limit.hidden = std::max(limit.hidden, each.busy);
  }
  return limit;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

const json::value* value_at(const json::value& configuration, std::string_view path) {
  const json::value* at = &configuration;
  while (at != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view key = path.substr(0, dot);
    const json::object* const record = at->if_object();
    at = record == nullptr ? nullptr : record->if_contains({key.data(), key.size()});
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  }
  return at;
}

/// What a parameter is set to that has this value now; null if it has it already, or means that there is none of it.
json::value relaxed(const json::value& now, std::string_view value) {
  const bool is_factor = value.front() == 'x';
  if (is_factor) value.remove_prefix(1);
  const json::value given = json::parse({value.data(), value.size()});
  if (!is_factor) return given == now ? json::value() : given;
  const auto factor = given.to_number<std::uint64_t>();
  const auto count = now.to_number<std::uint64_t>();
  return count == 0 ? json::value() : json::value(count * factor);
}

}  // namespace

std::vector<run_limit> limits_of(const run_result& result, const config::machine& machine) {
  const waiting warps(result);
  const std::vector<kind_share> kinds = busiest_of_each_kind(result.cycles, machine);
  std::vector<run_limit> limits;
  for (const limit_info& info : limit_table())
    if (const run_limit limit = limit_of(info, warps, kinds); limit.stalled > 0) limits.push_back(limit);
  std::stable_sort(limits.begin(), limits.end(), [](const run_limit& x, const run_limit& y) {
    const bool x_is_full = x.busy >= saturated, y_is_full = y.busy >= saturated;
    return x_is_full != y_is_full ? x_is_full : x.saving() > y.saving();
  });
  return limits;
}

std::string text(const run_limit& limit) {
  const std::string what = limit.info->is == limit_info::kind::rate && limit.busy > 0
                               ? fmt::format("in use in {} of the cycles", percent(limit.busy))
                               : fmt::format("warps wait for {} of their time", percent(limit.stalled));
  return fmt::format("{}: {}; {} would save {}", limit.info->text, what, limit.info->cure, percent(limit.saving()));
}

json::object relaxed_parameters(const limit_info& limit, const config::machine& machine) {
  const json::value configuration = config::to_json(machine);
  json::object parameters;
  for (const relaxation& each : limit.relaxations) {
    const json::value* const now = value_at(configuration, each.parameter);
    if (now == nullptr) continue;
    if (json::value set = relaxed(*now, each.value); !set.is_null())
      parameters[json::string_view(each.parameter.data(), each.parameter.size())] = std::move(set);
  }
  return parameters;
}

}  // namespace tc::accounting
