// SPDX-License-Identifier: Apache-2.0
#include "run_limits.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <tc/accounting/run_summary.hpp>
#include <tc/accounting/statistic_sum.hpp>
#include <tc/accounting/unit_use.hpp>
#include <tc/config/config_error.hpp>
#include <tc/config/parameter_override.hpp>
#include <tc/config/parameter_writer.hpp>
#include <tc/config/validation.hpp>

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

/// Register banks have ports that instructions book ahead: the use of the busiest bank of each sub-core, on average over the sub-cores.
double use_of_register_ports(cycle_t cycles, const config::machine& machine) {
  const statistic_sum read("operand_fetch", "busiest_bank_registers_read");
  const double ports = static_cast<double>(cycles) * read.objects() * machine.sm.sub_core.register_file.read_ports;
  return ports == 0 ? 0 : std::min(1.0, static_cast<double>(read.sum()) / ports);
}

/// What multiplies in the tensor cores: each takes the cycles in which the others do not.
bool is_of_tensor_cores(const std::string& kind) { return kind == "tensor" || kind == "warpgroup" || kind == "tensor_engine.matrices"; }

/// Of units that count busy cycles, and of those that do not.
std::vector<kind_share> busiest_units(cycle_t cycles, const config::machine& machine) {
  const stall_cycles slots = issue_slots_of(cycles).slots;
  const double issued = slots.sum() == 0 ? 0 : static_cast<double>(slots[links::stall_cause::none]) / static_cast<double>(slots.sum());
  std::vector<kind_share> kinds{{"register_ports", use_of_register_ports(cycles, machine)}, {"issue", issued}};
  const unit_use_collector collected(cycles);
  for (const unit_use& unit : collected.units()) {
    auto found = std::find_if(kinds.begin(), kinds.end(), [&](const kind_share& each) { return each.kind == unit.kind; });
    if (found == kinds.end()) found = kinds.insert(found, {unit.kind, 0});
    found->busy = std::max(found->busy, unit.utilisation());
  }
  kind_share tensor_cores{"tensor_cores", 0};
  for (const kind_share& each : kinds)
    if (is_of_tensor_cores(each.kind)) tensor_cores.busy = std::min(1.0, tensor_cores.busy + each.busy);
  kinds.erase(std::remove_if(kinds.begin(), kinds.end(), [](const kind_share& each) { return is_of_tensor_cores(each.kind); }),
              kinds.end());
  kinds.push_back(tensor_cores);
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
    if (is_its_own && each.busy > limit.busy) {
      limit.busy = each.busy;
      limit.unit = each.kind;
    }
    if (!is_its_own || info.is == limit_info::kind::latency) limit.hidden = std::max(limit.hidden, each.busy);
  }
  return limit;
}

/// Others than those that are at their rate, and for which warps wait all the same.
bool may_limit(const run_limit& limit) { return limit.info->is != limit_info::kind::full_rate || limit.busy >= saturated; }

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

/// An estimate: no more digits than it is good for.
std::string about(double share) { return share < 0.01 ? "less than 1 %" : fmt::format("about {:.0f} %", 100 * share); }

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

/// What a parameter is set to that has this value now, at a fraction of its factor, if its relaxation is one; null if it has it already, or
/// means that there is none of it.
json::value relaxed(const json::value& now, std::string_view value, unsigned fraction) {
  const bool is_factor = value.front() == 'x';
  if (is_factor) value.remove_prefix(1);
  const json::value given = json::parse({value.data(), value.size()});
  if (!is_factor) return given == now || fraction > 1 ? json::value() : given;
  const auto factor = given.to_number<std::uint64_t>() / fraction;
  const auto count = now.to_number<std::uint64_t>();
  return count == 0 || factor < 2 ? json::value() : json::value(count * factor);
}

/// Sets a parameter if the machine accepts it.
bool accepts(config::machine& machine, std::string_view path, const json::value& value) {
  try {
    config::machine changed = machine;
    config::parameter_override(fmt::format("{}={}", path, json::serialize(value))).apply(changed);
    config::validate_tree(changed);
    machine = std::move(changed);
    return true;
  } catch (const config::config_error&) {
    return false;
  }
}

}  // namespace

std::vector<run_limit> limits_of(const run_result& result, const config::machine& machine) {
  const waiting warps(result);
  const std::vector<kind_share> kinds = busiest_units(result.cycles, machine);
  std::vector<run_limit> limits;
  for (const limit_info& info : limit_table())
    if (run_limit limit = limit_of(info, warps, kinds); limit.stalled > 0 && may_limit(limit)) limits.push_back(std::move(limit));
  std::stable_sort(limits.begin(), limits.end(), [](const run_limit& x, const run_limit& y) {
    const bool x_is_full = x.busy >= saturated, y_is_full = y.busy >= saturated;
    return x_is_full != y_is_full ? x_is_full : x.saving() > y.saving();
  });
  return limits;
}

std::string text(const run_limit& limit) {
  const bool is_rate = limit.info->is != limit_info::kind::latency && limit.busy > 0;
  const std::string which = is_rate && limit.info->units.size() > 1 ? limit.unit + " " : "";
  const std::string what = is_rate ? fmt::format("{}in use in {} of the cycles", which, percent(limit.busy))
                                   : fmt::format("warps wait for {} of their time", percent(limit.stalled));
  return fmt::format("{}: {}; {} would save {}", limit.info->text, what, limit.info->cure, about(limit.saving()));
}

json::object relaxed_parameters(const limit_info& limit, const config::machine& machine) {
  const json::value configuration = config::to_json(machine);
  config::machine changed = machine;
  json::object parameters;
  for (const relaxation& each : limit.relaxations) {
    const json::value* const now = value_at(configuration, each.parameter);
    if (now == nullptr) continue;
    for (unsigned fraction = 1; fraction < 16; fraction *= 2) {
      json::value set = relaxed(*now, each.value, fraction);
      if (set.is_null()) break;
      if (!accepts(changed, each.parameter, set)) continue;
      parameters[json::string_view(each.parameter.data(), each.parameter.size())] = std::move(set);
      break;
    }
  }
  return parameters;
}

}  // namespace tc::accounting
