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
  limited_table(std::vector<align> columns, std::size_t rows) : table_(std::move(columns)), is_wanted_(rows > 0), left_(rows) {}

  void add_head(std::vector<std::string> cells) { table_.add(std::move(cells)); }
  void add(std::vector<std::string> cells) {
    if (left_ == 0) return void(++more_);
    --left_;
    table_.add(std::move(cells));
  }
  /// Below a heading; nothing if no row was wanted.
  std::string text_below(std::string_view title) const { return is_wanted_ ? heading(title) + text() : ""; }

 private:
  std::string text() const {
    return table_.text(2) + (more_ == 0 ? std::string() : fmt::format("  ... and {} more; --all shows them\n", more_));
  }

  text_table table_;
  bool is_wanted_;
  std::size_t left_, more_ = 0;
};

bool have_equal_work(const run_difference& difference) {
  return std::all_of(difference.kernels.begin(), difference.kernels.end(), [](const auto& each) { return each.is_compared(); });
}

std::string results_text(const run_difference& difference) {
  std::string of = difference.has_runs() ? "Of one run each, without chance" : "";
  if (!have_equal_work(difference))
    of += of.empty() ? "Of all kernels, which are not the same" : ", and of all kernels, which are not the same";
  if (!of.empty()) of += ":\n";
  if (difference.results.empty()) return of + "The same cycles, instructions and results.\n";
  text_table table({align::left, align::right, align::right, align::right, align::right});
  table.add({"", "A", "B", "change", ""});
  for (const auto& each : difference.results)
    table.add({each.name, number_text(each.a), number_text(each.b), change_text(each.change()), percent_text(each)});
  return of + table.text();
}

/// Whether all kernels take as long in both, with chance and without.
bool have_equal_times(const run_difference& difference) {
  const auto is_equal = [](const kernel_difference& each) {
    return each.a && each.b && each.a->cycles == each.b->cycles && each.a->varied_cycles == each.b->varied_cycles;
  };
  return difference.results.empty() && std::all_of(difference.kernels.begin(), difference.kernels.end(), is_equal);
}

/// A machine with other latencies than its preset has a scoreboard, and what that costs is part of the difference.
std::string hazards_text(const run_difference& difference) {
  if (difference.one_hazard_rule) return "";
  constexpr std::string_view rules = "the two runs kept dependent instructions apart by different rules (`hazards`)";
  if (have_equal_times(difference)) return fmt::format("\nNote: {}, which makes no difference here\n", rules);
  return fmt::format(
      "\nWarning: {}, so that not all of their difference\ncomes from what else differs. To compare under one rule, run both with "
      "--set sm.sub_core.issue.hazards=interlock\n",
      rules);
}

std::string cycles_text(const std::optional<kernel_difference::side>& side, bool varied) {
  if (!side) return "-";
  if (!varied) return number_text(side->cycles);
  return fmt::format("{} ({} to {})", number_text(side->median()), number_text(side->least()), number_text(side->most()));
}

std::string change_text(const kernel_difference& kernel) {
  if (!kernel.is_compared()) return "";
  const double a = kernel.has_runs() ? kernel.a->median() : kernel.a->cycles.value_or(0),
               b = kernel.has_runs() ? kernel.b->median() : kernel.b->cycles.value_or(0);
  return a == 0 ? "" : fmt::format("{:+.1f} %", 100 * (b - a) / a);
}

std::string verdict_text(const kernel_difference& kernel) {
  if (!kernel.is_compared()) return "not compared: " + kernel.not_compared;
  std::string verdict = kernel.has_runs() ? text_of(kernel.chance) : "";
  if (!kernel.other_code.empty()) verdict += (verdict.empty() ? "other code: " : ", of other code: ") + kernel.other_code;
  return verdict;
}

/// Kernel by kernel, with whether what differs is more than chance makes where both runs have varied ones; nothing of a single kernel of
/// single runs that can be compared.
std::string kernels_text(const run_difference& difference) {
  const auto& kernels = difference.kernels;
  if (!difference.has_runs() && kernels.size() < 2 && have_equal_work(difference)) return "";
  text_table table({align::left, align::right, align::right, align::right, align::left});
  table.add({"", "A", "B", "change", ""});
  for (const auto& each : kernels)
    table.add(
        {each.kernel, cycles_text(each.a, each.has_runs()), cycles_text(each.b, each.has_runs()), change_text(each), verdict_text(each)});
  const std::string title =
      difference.has_runs() ? "Cycles of the runs varied by chance, median and extent:\n" : "Cycles of the kernels:\n";
  return title + table.text(2) + '\n';
}

/// What machines ran that each had code made for it.
std::string code_text(const run_difference& difference) {
  for (const auto& each : difference.kernels)
    if (each.is_compared() && !each.other_code.empty())
      return fmt::format(
          "\nNote: A and B ran different code ({}: {}), so that what differs comes of the code too. --fixed-code of gemm and conv\n"
          "keeps the code of the configuration whatever --set changes\n",
          each.kernel, each.other_code);
  return "";
}

std::string limits_text(const run_difference& difference) {
  if (difference.a_limit == difference.b_limit) return "";
  return fmt::format("\nWhat limits most:\n  A  {}\n  B  {}\n", difference.a_limit.value_or("nothing"),
                     difference.b_limit.value_or("nothing"));
}

std::string remarks_text(const run_difference& difference) {
  std::string text;
  for (const std::string& remark : difference.remarks) text += fmt::format("\nNote: {}.\n", remark);
  return text;
}

std::string parameters_text(std::string_view title, const std::vector<parameter_difference>& parameters, std::size_t rows) {
  if (parameters.empty()) return "";
  limited_table table({align::left, align::left, align::left}, rows);
  table.add_head({"", "A", "B"});
  for (const auto& each : parameters) table.add({each.path, value_text(each.base), value_text(each.value)});
  return table.text_below(title);
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
  return table.text_below(fmt::format("{}, {} in A and {} in B", title, number_text(account.a_total), number_text(account.b_total)));
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
  return table.text_below("Counters of units");
}

std::string lone_units_text(std::string_view title, const std::vector<std::string>& units, std::size_t rows) {
  if (units.empty()) return "";
  limited_table table({align::left}, rows);
  for (const auto& unit : units) table.add({unit});
  return table.text_below(title);
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

json::value json_of(const std::optional<kernel_difference::side>& side) {
  if (!side) return nullptr;
  json::object entry{{"cycles", json_of(side->cycles)}};
  if (side->varied_cycles.empty()) return entry;
  entry["runs"] = side->varied_cycles.size();
  entry["median"] = side->median();
  entry["least"] = side->least();
  entry["most"] = side->most();
  return entry;
}

json::object json_of(const kernel_difference& kernel) {
  json::object entry{{"kernel", kernel.kernel}, {"a", json_of(kernel.a)}, {"b", json_of(kernel.b)}};
  if (!kernel.is_compared()) entry["not_compared"] = kernel.not_compared;
  if (!kernel.other_code.empty()) entry["other_code"] = kernel.other_code;
  if (!kernel.is_compared() || !kernel.has_runs()) return entry;
  const std::string_view verdict = name_of(kernel.chance.verdict);
  entry["verdict"] = json::string(verdict.data(), verdict.size());
  entry["p"] = kernel.chance.p;
  return entry;
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
  return kernels_text(difference) + results_text(difference) + hazards_text(difference) + code_text(difference) + remarks_text(difference) +
         limits_text(difference) + parameters_text("What was run", difference.run, rows) +
         parameters_text("Configuration", difference.configuration, rows) + account_text("Cycles of the warps", difference.stalls, rows) +
         account_text("Issue slots", difference.issue_slots, rows) + counters_text(difference, rows) +
         lone_units_text("Units that only A has", difference.only_in_a, rows) +
         lone_units_text("Units that only B has", difference.only_in_b, rows) + other_keys_text(difference.other_keys);
}

json::object json_of(const run_difference& difference) {
  json::array results, counters, kernels;
  for (const auto& each : difference.kernels) kernels.push_back(json_of(each));
  for (const auto& each : difference.results) results.push_back(json_of(each));
  for (const auto& each : difference.counters) {
    json::object entry{{"unit", each.unit}, {"a_units", each.a_units}, {"b_units", each.b_units}};
    for (auto& member : json_of(each.count)) entry[member.key()] = member.value();
    counters.push_back(std::move(entry));
  }
  return {{"equal", difference.equal},
          {"beyond_chance", difference.is_beyond_chance()},
          {"remarks", json::value_from(difference.remarks)},
          {"one_hazard_rule", difference.one_hazard_rule},
          {"run", json_of(difference.run)},
          {"configuration", json_of(difference.configuration)},
          {"results", std::move(results)},
          {"kernels", std::move(kernels)},
          {"limits", {{"a", json::value_from(difference.a_limit)}, {"b", json::value_from(difference.b_limit)}}},
          {"stalls", json_of(difference.stalls)},
          {"issue_slots", json_of(difference.issue_slots)},
          {"counters", std::move(counters)},
          {"only_in_a", json::value_from(difference.only_in_a)},
          {"only_in_b", json::value_from(difference.only_in_b)},
          {"other_keys", json::value_from(difference.other_keys)}};
}

}  // namespace tcsim
