// SPDX-License-Identifier: Apache-2.0
#include "diff_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tc/links/stall_cause.hpp>

#include "text_table.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

namespace json = boost::json;
using align = text_table::align;

/// Counts as they are; what has places behind the point, to six digits.
std::string number_text(double number) {
  return number == std::floor(number) ? fmt::format("{:.0f}", number) : fmt::format("{:.6g}", number);
}
std::string number_text(std::optional<double> number) { return number ? number_text(*number) : "-"; }

std::string change_text(double change) { return (change > 0 ? "+" : "") + number_text(change); }

std::string percent_text(const number_difference& number) {
  const auto percent = number.percent();
  return percent ? fmt::format("{:+.1f} %", *percent) : "";
}

std::string value_text(const json::value& value) {
  if (value.is_null()) return "-";
  return value.is_string() ? std::string(value.get_string()) : json::serialize(value);
}

std::string heading(std::string_view text) { return fmt::format("\n{}:\n", text); }

/// Rows of a table, as many as are wanted, and a line that says how many there are besides.
class limited_table {
 public:
  limited_table(std::vector<align> columns, std::size_t rows) : table_(std::move(columns)), left_(rows) {}

  void add_head(std::vector<std::string> cells) { table_.add(std::move(cells)); }
  void add(std::vector<std::string> cells) {
    if (left_ == 0) return void(++more_);
    --left_;
    table_.add(std::move(cells));
  }
  std::string text() const {
    return table_.text(2) + (more_ == 0 ? std::string() : fmt::format("  ... and {} more; --all shows them\n", more_));
  }

 private:
  text_table table_;
  std::size_t left_, more_ = 0;
};

std::string results_text(const run_difference& difference) {
  if (difference.results.empty()) return "The same cycles, instructions and results.\n";
  text_table table({align::left, align::right, align::right, align::right, align::right});
  table.add({"", "A", "B", "change", ""});
  for (const auto& each : difference.results)
    table.add({each.name, number_text(each.a), number_text(each.b), change_text(each.change()), percent_text(each)});
  return table.text();
}

/// A machine with other latencies than its preset has a scoreboard, and what that costs is part of the difference.
std::string hazards_text(const run_difference& difference) {
  if (difference.one_hazard_rule) return "";
  return "\nWarning: the two runs kept dependent instructions apart by different rules (`hazards`), so that not all of their difference\n"
         "comes from what else differs. To compare under one rule, run both with --set sm.sub_core.issue.hazards=interlock\n";
}

std::string extent_text(const repeated_difference::extent& cycles) {
  return fmt::format("{} ({} to {})", number_text(cycles.median), number_text(cycles.least), number_text(cycles.most));
}

/// Whether what differs is more than chance makes, of runs with --jitter.
std::string repeated_text(const std::vector<repeated_difference>& kernels) {
  if (kernels.empty()) return "";
  text_table table({align::left, align::right, align::right, align::right, align::left});
  table.add({"", "A", "B", "change", ""});
  for (const auto& each : kernels)
    table.add({each.kernel, extent_text(each.a), extent_text(each.b),
               fmt::format("{:+.1f} %", 100 * (each.b.median - each.a.median) / std::max(1.0, each.a.median)),
               each.is_below_noise() ? "below the noise" : "more than chance makes"});
  return heading("Cycles of the runs that chance sets apart, median and extent") + table.text(2);
}

std::string parameters_text(std::string_view title, const std::vector<parameter_difference>& parameters, std::size_t rows) {
  if (parameters.empty()) return "";
  limited_table table({align::left, align::left, align::left}, rows);
  table.add_head({"", "A", "B"});
  for (const auto& each : parameters) table.add({each.path, value_text(each.base), value_text(each.value)});
  return heading(title) + table.text();
}

std::string account_text(std::string_view title, const cycle_account_difference& account, std::size_t rows) {
  if (account.rows.empty()) return "";
  limited_table table({align::right, align::right, align::right, align::right, align::right, align::right, align::left}, rows);
  table.add_head({"A", "", "B", "", "change", "points", "cause"});
  for (const auto& row : account.rows) {
    const auto cause = tc::links::find_stall_cause(row.cycles.name);
    table.add({number_text(row.cycles.a), fmt::format("{:.1f} %", row.a_percent), number_text(row.cycles.b),
               fmt::format("{:.1f} %", row.b_percent), change_text(row.cycles.change()),
               fmt::format("{:+.1f}", row.b_percent - row.a_percent), std::string(tc::links::info(*cause).text)});
  }
  return heading(fmt::format("{}, {} in A and {} in B", title, number_text(account.a_total), number_text(account.b_total))) + table.text();
}

std::string unit_text(const counter_difference& counter) {
  if (counter.a_units != counter.b_units) return fmt::format("{}, {} and {} units", counter.unit, counter.a_units, counter.b_units);
  return counter.a_units == 1 ? counter.unit : fmt::format("{}, {} units", counter.unit, counter.a_units);
}

std::string counters_text(const run_difference& difference, std::size_t rows) {
  if (difference.counters.empty()) return "";
  limited_table table({align::left, align::left, align::right, align::right, align::right, align::right}, rows);
  table.add_head({"", "", "A", "B", "change", ""});
  for (const auto& each : difference.counters) {
    table.add({unit_text(each), each.count.name, number_text(each.count.a), number_text(each.count.b), change_text(each.count.change()),
               percent_text(each.count)});
  }
  return heading("Counters of units") + table.text();
}

std::string lone_units_text(std::string_view title, const std::vector<std::string>& units, std::size_t rows) {
  if (units.empty()) return "";
  limited_table table({align::left}, rows);
  for (const auto& unit : units) table.add({unit});
  return heading(title) + table.text();
}

std::string other_keys_text(const std::vector<std::string>& keys) {
  return keys.empty() ? "" : fmt::format("\nOther keys that differ: {}.\n", fmt::join(keys, ", "));
}

json::value json_of(std::optional<double> number) {
  if (!number) return nullptr;
  const auto whole = static_cast<std::int64_t>(*number);
  return static_cast<double>(whole) == *number ? json::value(whole) : json::value(*number);
}

json::object json_of(const number_difference& number) {
  return {{"name", number.name},
          {"a", json_of(number.a)},
          {"b", json_of(number.b)},
          {"change", json_of(std::optional(number.change()))},
          {"percent", number.percent() ? json::value(*number.percent()) : json::value()}};
}

json::array json_of(const std::vector<parameter_difference>& parameters) {
  json::array list;
  for (const auto& each : parameters) list.push_back({{"path", each.path}, {"a", each.base}, {"b", each.value}});
  return list;
}

json::object json_of(const cycle_account_difference& account) {
  json::array causes;
  for (const auto& row : account.rows) {
    json::object entry = json_of(row.cycles);
    entry["a_percent"] = row.a_percent;
    entry["b_percent"] = row.b_percent;
    entry["points"] = row.b_percent - row.a_percent;
    causes.push_back(std::move(entry));
  }
  return {{"a_total", json_of(std::optional(account.a_total))},
          {"b_total", json_of(std::optional(account.b_total))},
          {"causes", std::move(causes)}};
}

}  // namespace

std::string text_of(const run_difference& difference, std::size_t rows) {
  return results_text(difference) + hazards_text(difference) + repeated_text(difference.repeated) +
         parameters_text("What was run", difference.run, rows) + parameters_text("Configuration", difference.configuration, rows) +
         account_text("Cycles of the warps", difference.stalls, rows) + account_text("Issue slots", difference.issue_slots, rows) +
         counters_text(difference, rows) + lone_units_text("Units that only A has", difference.only_in_a, rows) +
         lone_units_text("Units that only B has", difference.only_in_b, rows) + other_keys_text(difference.other_keys);
}

json::object json_of(const run_difference& difference) {
  json::array results, counters, repeated;
  const auto extent = [](const repeated_difference::extent& of) {
    return json::object{{"median", of.median}, {"least", of.least}, {"most", of.most}};
  };
  for (const auto& each : difference.repeated)
    repeated.push_back({{"kernel", each.kernel}, {"a", extent(each.a)}, {"b", extent(each.b)}, {"below_noise", each.is_below_noise()}});
  for (const auto& each : difference.results) results.push_back(json_of(each));
  for (const auto& each : difference.counters) {
    json::object entry{{"unit", each.unit}, {"a_units", each.a_units}, {"b_units", each.b_units}};
    for (auto& member : json_of(each.count)) entry[member.key()] = member.value();
    counters.push_back(std::move(entry));
  }
  return {{"equal", difference.equal},
          {"one_hazard_rule", difference.one_hazard_rule},
          {"run", json_of(difference.run)},
          {"configuration", json_of(difference.configuration)},
          {"results", std::move(results)},
          {"repeated", std::move(repeated)},
          {"stalls", json_of(difference.stalls)},
          {"issue_slots", json_of(difference.issue_slots)},
          {"counters", std::move(counters)},
          {"only_in_a", json::value_from(difference.only_in_a)},
          {"only_in_b", json::value_from(difference.only_in_b)},
          {"other_keys", json::value_from(difference.other_keys)}};
}

}  // namespace tcsim
