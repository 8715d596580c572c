// SPDX-License-Identifier: Apache-2.0
#include "sweep_page.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tc/links/stall_cause.hpp>
#include <tc/version.hpp>

#include "configuration_difference.hpp"
#include "html_page.hpp"
#include "repeat_command.hpp"
#include "sqlite_connection.hpp"
#include "sweep_notes.hpp"

namespace tcsim {

namespace {

namespace json = boost::json;

json::array axes_of(const sweep_plan& plan) {
  json::array axes;
  for (const auto& axis : plan.axes)
    axes.push_back({{"name", axis.name}, {"path", axis.path}, {"unit", axis.unit}, {"meaning", axis.meaning}});
  return axes;
}

json::array metrics_of(const sweep_plan& plan) {
  json::array metrics;
  for (const auto& metric : plan.metrics)
    metrics.push_back(
        {{"name", metric.name}, {"unit", metric.unit}, {"description", metric.description}, {"better", name_of(metric.better)}});
  return metrics;
}

/// Indices of rows by their ids.
using index_by_id = std::unordered_map<std::int64_t, std::size_t>;

/// By metric and point, the values of the runs that chance varies, sorted; of a point without any the list is empty.
json::array varied_values(sqlite3* database, const sweep_plan& plan, const json::array& numbers) {
  index_by_id rows_by_number;
  for (std::size_t row = 0; row < numbers.size(); ++row) rows_by_number.emplace(numbers[row].to_number<std::int64_t>(), row);
  json::array varied;
  for (const auto& metric : plan.metrics) {
    json::array& points = varied.emplace_back(json::array(numbers.size(), json::array())).as_array();
    const std::string name = quoted_name(metric.name);
    sqlite_statement rows(database, "SELECT number, " + name + " FROM repeated_results WHERE repeat > 0 AND typeof(" + name +
                                        ") IN ('integer', 'real') ORDER BY number, " + name);
    while (rows.next()) points.at(rows_by_number.at(rows.integer(0))).as_array().push_back(rows.value(1));
  }
  return varied;
}

/// The points by column, from the view that has a row for each.
json::object points_of(sqlite3* database, const sweep_plan& plan, const index_by_id& runs) {
  std::string columns = "number, run";
  for (const auto& axis : plan.axes) columns += ", " + quoted_name(axis.name);
  for (const auto& metric : plan.metrics) columns += ", " + quoted_name(metric.name);
  std::size_t groups = 1;  // of columns of metrics: their values and, of repeated runs, the least and the most of each point
  if (plan.repeat > 1) {
    for (const auto& metric : plan.metrics) columns += ", " + quoted_name(least_column(metric.name));
    for (const auto& metric : plan.metrics) columns += ", " + quoted_name(most_column(metric.name));
    groups = 3;
  }
  columns += ", exit_status, message";
  json::array numbers, runs_of_points, statuses, messages;
  std::vector<json::array> values(plan.axes.size() + groups * plan.metrics.size());
  sqlite_statement rows(database, "SELECT " + columns + " FROM results ORDER BY number");
  while (rows.next()) {
    numbers.emplace_back(rows.integer(0));
    runs_of_points.emplace_back(runs.at(rows.integer(1)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i].push_back(rows.value(static_cast<int>(i) + 2));
    statuses.push_back(rows.value(static_cast<int>(values.size()) + 2));
    messages.emplace_back(rows.text(static_cast<int>(values.size()) + 3));
  }
  const auto behind_axes = values.begin() + static_cast<std::ptrdiff_t>(plan.axes.size());
  const auto group = [&](std::size_t number) {
    const auto begin = behind_axes + static_cast<std::ptrdiff_t>(number * plan.metrics.size());
    return json::array(begin, begin + static_cast<std::ptrdiff_t>(plan.metrics.size()));
  };
  json::object points{{"number", std::move(numbers)},
                      {"run", std::move(runs_of_points)},
                      {"axes", json::array(values.begin(), behind_axes)},
                      {"metrics", group(0)}};
  if (groups > 1) {
    points["least"] = group(1);
    points["most"] = group(2);
    points["varied"] = varied_values(database, plan, points.at("number").as_array());
    points["status"] = std::move(statuses);  // of all its runs
    points["message"] = std::move(messages);
  }
  return points;
}

/// What in each configuration differs from the base, with the paths that occur.
struct differing_configurations {
  json::array paths, base_values, configurations;
  index_by_id index;
};

differing_configurations configurations_of(sqlite3* database, const sweep_plan& plan) {
  differing_configurations all;
  std::unordered_map<std::string, std::size_t> index_of_path;
  const json::value base = json::parse(plan.base_configuration);
  sqlite_statement rows(database, "SELECT id, text FROM configurations ORDER BY id");
  while (rows.next()) {
    json::array differences;
    for (const auto& difference : configuration_differences(base, json::parse(rows.text(1)))) {
      const auto [place, is_new] = index_of_path.emplace(difference.path, index_of_path.size());
      if (is_new) {
        all.paths.emplace_back(difference.path);
        all.base_values.push_back(difference.base);
      }
      differences.push_back(json::array{place->second, difference.value});
    }
    all.index.emplace(rows.integer(0), all.configurations.size());
    all.configurations.push_back(std::move(differences));
  }
  return all;
}

/// The counts of `group` in the order of cause_list(), `issued` for the first; null if the statistics have no such group.
json::value counts_by_cause(const json::object& statistics, std::string_view group, std::string_view issued) {
  const auto* const counts = statistics.if_contains(group);
  if (counts == nullptr || !counts->is_object()) return nullptr;
  json::array by_cause;
  for (const auto& cause : tc::links::stall_cause_table) {
    const bool is_first = cause.cause == tc::links::stall_cause::none;
    const auto* const count = is_first && !issued.empty() ? statistics.if_contains(issued) : counts->get_object().if_contains(cause.key);
    by_cause.push_back(count != nullptr && count->is_number() ? *count : json::value(0));
  }
  return by_cause;
}

/// The base configurations by run, where an axis varies them.
std::unordered_map<std::int64_t, std::string> varied_bases(sqlite3* database, const sweep_plan& plan) {
  std::unordered_map<std::int64_t, std::string> bases;
  const auto axis = std::find_if(plan.axes.begin(), plan.axes.end(), [](const sweep_axis& each) { return each.path.empty(); });
  if (axis == plan.axes.end()) return bases;
  sqlite_statement rows(database, "SELECT run, " + quoted_name(axis->name) + " FROM results");
  while (rows.next()) bases.emplace(rows.integer(0), rows.text(1));
  return bases;
}

struct listed_runs {
  json::array runs, stalls, issue_slots;
  index_by_id index;
};

listed_runs runs_of(const result_store& results, const sweep_plan& plan, const index_by_id& configurations) {
  listed_runs all;
  repeat_command command;
  sqlite3* const database = results.handle();
  const auto bases = varied_bases(database, plan);
  sqlite_statement rows(database, "SELECT id, workload, configuration, exit_status, message, seconds, statistics FROM runs ORDER BY id");
  while (rows.next()) {
    const auto base = bases.find(rows.integer(0));
    const std::string text = rows.text(6);
    json::value statistics = text.empty() ? json::value(json::object()) : json::parse(text);
    json::value warnings = json::array();
    if (auto* const found = statistics.get_object().if_contains("warnings")) warnings = *found;
    all.index.emplace(rows.integer(0), all.runs.size());
    all.runs.push_back({{"workload", rows.text(1)},
                        {"configuration", configurations.at(rows.integer(2))},
                        {"status", rows.value(3)},
                        {"message", rows.text(4)},
                        {"seconds", rows.value(5)},
                        {"warnings", std::move(warnings)},
                        {"command", command.of(results.run(rows.integer(0)), base == bases.end() ? plan.base : base->second)}});
    all.stalls.push_back(counts_by_cause(statistics.as_object(), "stalls", "instructions"));
    all.issue_slots.push_back(counts_by_cause(statistics.as_object(), "issue_slots", ""));
  }
  return all;
}

}  // namespace

json::object sweep_data(const result_store& results) {
  sqlite3* const database = results.handle();
  const sweep_plan plan = results.outline();
  auto configurations = configurations_of(database, plan);
  auto runs = runs_of(results, plan, configurations.index);
  return {{"tcsim", TC_VERSION_STRING},
          {"sweep",
           {{"name", plan.name},
            {"description", plan.description},
            {"base", plan.base},
            {"fixed_code", plan.fixed_code},
            {"hazards", plan.hazards},
            {"repeat", plan.repeat},
            {"source", plan.source}}},
          {"notes", json::value_from(notes_on(results))},
          {"axes", axes_of(plan)},
          {"metrics", metrics_of(plan)},
          {"pareto", json::value_from(plan.pareto)},
          {"points", points_of(database, plan, runs.index)},
          {"runs", std::move(runs.runs)},
          {"paths", std::move(configurations.paths)},
          {"base_values", std::move(configurations.base_values)},
          {"configurations", std::move(configurations.configurations)},
          {"causes", cause_list()},
          {"stalls", std::move(runs.stalls)},
          {"issue_slots", std::move(runs.issue_slots)}};
}

std::string sweep_page(const result_store& results) {
  html_page page;
  page.title = results.outline().name + " \u00b7 tcsim";
  page.body = "sweep.html";
  page.styles = {"sweep.css"};
  page.scripts = {"columns.js",        "rank_test.js", "filters.js",  "view_state.js", "row_select.js",
                  "point_table.js",    "scatter.js",   "pareto.js",   "stalls.js",     "comparison.js",
                  "points_by_text.js", "failures.js",  "warnings.js", "summary.js",    "main.js"};
  page.data = sweep_data(results);
  return html_text(page);
}

}  // namespace tcsim
