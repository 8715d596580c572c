// SPDX-License-Identifier: Apache-2.0
#include "run_difference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <tc/accounting/object_path.hpp>
#include <tc/links/stall_cause.hpp>

namespace tcsim {

namespace {

namespace json = boost::json;

/// A number of a document by the path of its keys; nothing if it has none there.
std::optional<double> number_at(const json::object& document, std::initializer_list<std::string_view> path) {
  const json::object* place = &document;
  for (const std::string_view key : path) {
    const json::value* const member = place->if_contains(key);
    if (member == nullptr) return std::nullopt;
    if (member->is_number()) return member->to_number<double>();
    if (!member->is_object()) return std::nullopt;
    place = &member->get_object();
  }
  return std::nullopt;
}

json::value part(const json::object& document, std::initializer_list<std::string_view> keys) {
  json::object found;
  for (const std::string_view key : keys)
    if (const auto* const member = document.if_contains(key)) found.emplace(key, *member);
  return found;
}

/// A count of the bytes that were compared with what is expected; nothing if none were.
std::optional<double> compared_bytes(const json::object& document, std::string_view count) {
  const json::value* const expectations = document.if_contains("expect");
  if (expectations == nullptr || !expectations->is_array() || expectations->get_array().empty()) return std::nullopt;
  double sum = 0;
  for (const json::value& expectation : expectations->get_array())
    if (const auto* const entry = expectation.if_object()) sum += number_at(*entry, {count}).value_or(0);
  return sum;
}

double warnings(const json::object& document) {
  const json::value* const lines = document.if_contains("warnings");
  return lines != nullptr && lines->is_array() ? static_cast<double>(lines->get_array().size()) : 0;
}

std::vector<number_difference> compare_results(const json::object& a, const json::object& b) {
  std::vector<number_difference> all{
      {"cycles", number_at(a, {"cycles"}), number_at(b, {"cycles"})},
      {"time_us", number_at(a, {"time_us"}), number_at(b, {"time_us"})},
      {"instructions", number_at(a, {"instructions"}), number_at(b, {"instructions"})},
      {"mismatches", compared_bytes(a, "mismatches"), compared_bytes(b, "mismatches")},
      {"undefined", compared_bytes(a, "undefined"), compared_bytes(b, "undefined")},
      {"warnings", warnings(a), warnings(b)},
      {"energy_nj", number_at(a, {"energy", "total_nj"}), number_at(b, {"energy", "total_nj"})},
  };
  all.erase(std::remove_if(all.begin(), all.end(), [](const number_difference& each) { return each.a == each.b; }), all.end());
  return all;
}

/// Of an account with these counts by cause; what was issued is `issued`.
cycle_account_difference compare_accounts(const json::object& a, const json::object& b, std::string_view account,
                                          std::initializer_list<std::string_view> issued) {
  using tc::links::stall_cause;
  cycle_account_difference difference;
  for (const auto& cause : tc::links::stall_cause_table) {
    const auto count = [&](const json::object& run) {
      return cause.cause == stall_cause::none ? number_at(run, issued).value_or(0) : number_at(run, {account, cause.key}).value_or(0);
    };
    number_difference cycles{std::string(cause.key), count(a), count(b)};
    difference.a_total += *cycles.a;
    difference.b_total += *cycles.b;
    if (cycles.a != cycles.b) difference.rows.push_back({std::move(cycles)});
  }
  const auto percent_of = [](double part, double total) { return total == 0 ? 0 : 100 * part / total; };
  for (auto& row : difference.rows) {
    row.a_percent = percent_of(*row.cycles.a, difference.a_total);
    row.b_percent = percent_of(*row.cycles.b, difference.b_total);
  }
  std::stable_sort(difference.rows.begin(), difference.rows.end(),
                   [](const auto& x, const auto& y) { return std::abs(x.cycles.change()) > std::abs(y.cycles.change()); });
  return difference;
}

/// Counters of a unit, or of all units of a kind.
struct counters {
  unsigned units = 0;
  std::map<std::string, double, std::less<>> counts{};
};
using counters_by_unit = std::map<std::string, counters, std::less<>>;

counters_by_unit counters_in(const json::object& document, counters_of what) {
  counters_by_unit all;
  for (const auto& [path, members] : document.at("units").as_object()) {
    const auto* const numbers = members.if_object();
    if (numbers == nullptr) continue;
    const std::string kind = what == counters_of::kinds ? tc::accounting::unit_kind(path) : std::string();
    counters& unit = all[kind.empty() ? std::string(path) : kind];
    ++unit.units;
    for (const auto& [name, number] : *numbers)
      if (number.is_number()) unit.counts[std::string(name)] += number.to_number<double>();
  }
  return all;
}

/// Counters of the same order of importance are compared by their effect.
struct rank {
  int order = 0;
  double effect = 0;
};

bool begins_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

bool counts_cycles(std::string_view name) { return name == "cycles" || (name.size() > 7 && name.substr(name.size() - 7) == "_cycles"); }

rank rank_of(const counter_difference& counter, double cycles) {
  const number_difference& count = counter.count;
  const double change = std::abs(count.change());
  const double per_unit = cycles == 0 ? 0 : change / (cycles * std::max(counter.a_units, counter.b_units));
  if (begins_with(count.name, "idle_") || begins_with(count.name, "empty_")) return {2, per_unit};
  if (counts_cycles(count.name)) return {0, per_unit};
  return {1, change / std::max({std::abs(count.a.value_or(0)), std::abs(count.b.value_or(0)), 1.0})};
}

void compare_counts(const std::string& unit, const counters& a, const counters& b, std::vector<counter_difference>& found) {
  const auto value = [](const counters& run, const std::string& name) {
    const auto known = run.counts.find(name);
    return known == run.counts.end() ? std::optional<double>() : known->second;
  };
  std::set<std::string> names;
  for (const counters* const run : {&a, &b})
    for (const auto& [name, count] : run->counts) names.insert(name);
  for (const std::string& name : names) {
    number_difference count{name, value(a, name), value(b, name)};
    if (count.a != count.b) found.push_back({unit, a.units, b.units, std::move(count)});
  }
}

/// Units that only one run has are not compared: they are listed.
std::vector<counter_difference> compare_counters(const json::object& a, const json::object& b, counters_of what) {
  std::vector<counter_difference> found;
  const auto of_b = counters_in(b, what);
  for (const auto& [unit, counts] : counters_in(a, what))
    if (const auto match = of_b.find(unit); match != of_b.end()) compare_counts(unit, counts, match->second, found);
  const double cycles = number_at(a, {"cycles"}).value_or(0);
  std::stable_sort(found.begin(), found.end(), [&](const counter_difference& x, const counter_difference& y) {
    const rank of_x = rank_of(x, cycles), of_y = rank_of(y, cycles);
    return of_x.order != of_y.order ? of_x.order < of_y.order : of_x.effect > of_y.effect;
  });
  return found;
}

/// Keys whose values are compared above.
constexpr std::array<std::string_view, 12> compared_keys{"config", "trace",        "kernels", "hazards",     "status", "limits",
                                                         "cycles", "instructions", "stalls",  "issue_slots", "units",  "time_us"};
/// What the host did, and what was recorded besides.
constexpr std::array<std::string_view, 3> ignored_keys{"host", "series", "pictures"};

template <std::size_t Count>
bool contains(const std::array<std::string_view, Count>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// What was run, by kernel where there are several: of those in both, what does not come of the machine.
json::object what_was_run(const json::object& document, const std::vector<kernel_difference>& kernels, bool is_a, bool by_kernel) {
  if (!by_kernel) return part(document, {"trace", "hazards", "status"}).get_object();
  json::object run = part(document, {"hazards", "status"}).get_object(), launches;
  for (const kernel_difference& kernel : kernels)
    if (kernel.a && kernel.b)
      launches[kernel.kernel] =
          part((is_a ? *kernel.a : *kernel.b).launch, {"file", "arch", "grid", "block", "cluster", "ctas", "warps", "instructions"});
  run["kernels"] = std::move(launches);
  return run;
}

/// What limits a run most, in words; nothing if its statistics do not say.
std::optional<std::string> limit_of(const json::object& document) {
  const json::value* const limits = document.if_contains("limits");
  if (limits == nullptr || !limits->is_array() || limits->get_array().empty()) return std::nullopt;
  const json::object* const first = limits->get_array().front().if_object();
  const json::value* const text = first == nullptr ? nullptr : first->if_contains("text");
  return text == nullptr || !text->is_string() ? std::nullopt : std::optional<std::string>(text->get_string());
}

/// Keys of which the values differ, or only one run has one.
std::vector<std::string> differing_keys(const json::object& a, const json::object& b) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : a) {
    const json::value* const other = b.if_contains(key);
    if (!contains(ignored_keys, key) && (other == nullptr || *other != value)) keys.emplace_back(key);
  }
  for (const auto& [key, value] : b)
    if (!contains(ignored_keys, key) && !a.contains(key)) keys.emplace_back(key);
  return keys;
}

std::vector<std::string> units_missing(const json::object& from, const json::object& in) {
  std::vector<std::string> missing;
  const json::object& others = in.at("units").as_object();
  for (const auto& [path, counts] : from.at("units").as_object())
    if (!others.contains(path)) missing.emplace_back(path);
  return missing;
}

/// Statistics of an older tcsim do not name the rule.
bool have_one_hazard_rule(const json::object& a, const json::object& b) {
  const json::value *const of_a = a.if_contains("hazards"), *const of_b = b.if_contains("hazards");
  return of_a == nullptr || of_b == nullptr || *of_a == *of_b;
}

}  // namespace

std::optional<double> number_difference::percent() const {
  if (!a || *a == 0) return std::nullopt;
  return 100 * change() / std::abs(*a);
}

run_difference differences_of_runs(const json::object& a, const json::object& b, counters_of what) {
  run_difference difference;
  difference.kernels = compare_kernels(a, b);
  difference.remarks = remarks_on_chance(a, b);
  const bool by_kernel = kernel_count(a) > 1 || kernel_count(b) > 1;
  difference.run = configuration_differences(what_was_run(a, difference.kernels, true, by_kernel),
                                             what_was_run(b, difference.kernels, false, by_kernel));
  difference.a_limit = limit_of(a);
  difference.b_limit = limit_of(b);
  difference.one_hazard_rule = have_one_hazard_rule(a, b);
  difference.configuration = configuration_differences(a.at("config"), b.at("config"));
  difference.results = compare_results(a, b);
  difference.stalls = compare_accounts(a, b, "stalls", {"instructions"});
  difference.issue_slots = compare_accounts(a, b, "issue_slots", {"issue_slots", "issued"});
  difference.counters = compare_counters(a, b, what);
  difference.only_in_a = units_missing(a, b);
  difference.only_in_b = units_missing(b, a);
  const auto differing = differing_keys(a, b);
  difference.equal = differing.empty();
  std::copy_if(differing.begin(), differing.end(), std::back_inserter(difference.other_keys),
               [&](const std::string& key) { return !contains(compared_keys, key) && (key != "jitter" || !difference.has_runs()); });
  return difference;
}

bool run_difference::has_runs() const {
  return std::any_of(kernels.begin(), kernels.end(), [](const kernel_difference& each) { return each.has_runs(); });
}

bool run_difference::is_beyond_chance() const {
  if (!has_runs()) return !equal;
  const auto may_differ = [](const kernel_difference& each) {
    return !each.has_runs() || !each.is_compared() || !each.other_code.empty() || each.chance.verdict == chance_verdict::real ||
           (each.chance.verdict == chance_verdict::too_few_runs && each.a->varied_cycles != each.b->varied_cycles);
  };
  const auto is_of_time = [](const number_difference& each) {
    return each.name == "cycles" || each.name == "time_us" || each.name == "energy_nj";
  };
  return std::any_of(kernels.begin(), kernels.end(), may_differ) || !std::all_of(results.begin(), results.end(), is_of_time);
}

std::string_view counter_rule() {
  return "Counters of cycles come first, those that changed by the largest share of A's cycles at the top; then counts, by how much of the "
         "larger "
         "one the change is; last what the idle cycles and empty issue slots of units were lost to.";
}

}  // namespace tcsim
