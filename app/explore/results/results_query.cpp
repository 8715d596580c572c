// SPDX-License-Identifier: Apache-2.0
#include "results_query.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/config/json_text.hpp>
#include <tc/config/spelling.hpp>

#include "exit_status.hpp"
#include "sql_expression.hpp"
#include "sqlite_connection.hpp"
#include "text_table.hpp"

namespace tcsim {

namespace {

constexpr std::string_view is_failure = "exit_status <> 0", is_warned = "warnings > 0";

/// Failures and warnings are of one run: where points have several, these are listed one by one.
std::string_view view_of(const results_query& query, const sweep_plan& plan) {
  const bool is_of_runs = query.each_run || query.only_failed || query.only_warned;
  return plan.repeat > 1 && is_of_runs ? "repeated_results" : "results";
}

std::vector<std::string> columns_of(const result_store& store, std::string_view view) {
  const sqlite_statement all(store.handle(), fmt::format("SELECT * FROM {}", view));
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(all.columns()));
  for (int i = 0; i < all.columns(); ++i) names.push_back(all.column_name(i));
  return names;
}

bool is_any(const result_store& store, std::string_view query) { return sqlite_statement(store.handle(), query).next(); }

/// Of repeated runs also where the values lie, if they differ anywhere.
void add_metrics(const result_store& store, const sweep_plan& plan, bool all, std::vector<std::string>& names) {
  for (const auto& metric : plan.metrics) {
    names.push_back(metric.name);
    const std::string least = least_column(metric.name), most = most_column(metric.name);
    if (plan.repeat == 1) continue;
    if (!all && !is_any(store, fmt::format("SELECT 1 FROM results WHERE {} <> {}", quoted_name(least), quoted_name(most)))) continue;
    names.push_back(least);
    names.push_back(most);
  }
}

std::vector<std::string> default_columns(const result_store& store, const results_query& query, const sweep_plan& plan) {
  const bool all = query.all_columns, is_of_runs = view_of(query, plan) != "results";
  std::vector<std::string> names{"number"};
  if (all || is_any(store, "SELECT 1 FROM runs WHERE workload <> (SELECT min(workload) FROM runs)")) names.emplace_back("workload");
  for (const auto& axis : plan.axes) names.push_back(axis.name);
  if (is_of_runs) names.insert(names.end(), {"repeat", "seed"});
  if (!query.only_failed && !is_of_runs) add_metrics(store, plan, all, names);
  if (!query.only_failed && is_of_runs)
    for (const auto& metric : plan.metrics) names.push_back(metric.name);
  if (all || is_any(store, "SELECT 1 FROM runs WHERE exit_status IS NOT 0")) names.emplace_back("exit_status");
  if (all || is_any(store, "SELECT 1 FROM results WHERE warnings > 0")) names.emplace_back("warnings");
  if (query.only_failed) names.emplace_back("message");
  return names;
}

void check_column(const std::string& name, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) == known.end()) throw usage_error(tc::config::unknown_name_text("column", name, known));
}

std::string condition_of(const std::string& where, const std::vector<std::string>& known) {
  try {
    return sql_expression(where, known).text();
  } catch (const sql_error& error) {
    throw usage_error(fmt::format("--where, at character {}: {}", error.offset() + 1, error.what()));
  }
}

std::string statement_of(const results_query& query, std::string_view view, const std::vector<std::string>& columns,
                         const std::vector<std::string>& known) {
  std::vector<std::string> names, conditions, keys;
  for (const auto& name : columns) {
    check_column(name, known);
    names.push_back(quoted_name(name));
  }
  if (query.only_failed) conditions.emplace_back(is_failure);
  if (query.only_warned) conditions.emplace_back(is_warned);
  if (!query.where.empty()) conditions.push_back(condition_of(query.where, known));
  for (const auto& key : query.order) {
    check_column(key.column, known);
    keys.push_back(quoted_name(key.column) + (key.is_descending ? " DESC" : ""));
  }
  keys.emplace_back("number");
  if (view != "results") keys.emplace_back("repeat");
  std::string text = fmt::format("SELECT {} FROM {}", fmt::join(names, ", "), view);
  if (!conditions.empty()) text += fmt::format(" WHERE ({}\n)", fmt::join(conditions, "\n) AND ("));
  text += fmt::format(" ORDER BY {}", fmt::join(keys, ", "));
  return query.limit ? fmt::format("{} LIMIT {}", text, *query.limit) : text;
}

}  // namespace

results_rows find_results(const result_store& store, const results_query& query) {
  results_rows results;
  const sweep_plan plan = store.outline();
  const std::string_view view = view_of(query, plan);
  results.columns = query.columns.empty() ? default_columns(store, query, plan) : query.columns;
  sqlite_statement statement(store.handle(), statement_of(query, view, results.columns, columns_of(store, view)));
  while (statement.next()) {
    auto& row = results.rows.emplace_back();
    for (int i = 0; i < statement.columns(); ++i) row.push_back(statement.value(i));
  }
  return results;
}

namespace {

namespace json = boost::json;

std::string cell_of(const json::value& value) {
  if (value.is_null()) return "-";
  if (value.is_double()) return fmt::format("{:.6g}", value.get_double());
  return value.is_string() ? std::string(value.get_string()) : json::serialize(value);
}

bool is_infinite(const json::value& value) { return value.is_double() && !std::isfinite(value.get_double()); }

std::string quoted_if_needed(std::string text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string field_of(const json::value& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return quoted_if_needed(std::string(value.get_string()));
  if (is_infinite(value)) return value.get_double() > 0 ? "inf" : "-inf";
  return tc::config::compact_text(value);
}

}  // namespace

std::string table_of(const results_rows& results) {
  std::vector<text_table::align> columns;
  for (std::size_t i = 0; i < results.columns.size(); ++i) {
    const bool has_text = std::any_of(results.rows.begin(), results.rows.end(), [&](const auto& row) { return row[i].is_string(); });
    columns.push_back(has_text ? text_table::align::left : text_table::align::right);
  }
  text_table table(columns);
  table.add(results.columns);
  for (const auto& row : results.rows) {
    std::vector<std::string> cells(row.size());
    std::transform(row.begin(), row.end(), cells.begin(), cell_of);
    table.add(std::move(cells));
  }
  return table.text();
}

std::string csv_of(const results_rows& results) {
  std::string text;
  const auto add = [&text](const auto& row, const auto& field) {
    const char* separator = "";
    for (const auto& value : row) {
      text += separator + field(value);
      separator = ",";
    }
    text += '\n';
  };
  add(results.columns, quoted_if_needed);
  for (const auto& row : results.rows) add(row, field_of);
  return text;
}

std::string json_lines_of(const results_rows& results) {
  std::string text;
  for (const auto& row : results.rows) {
    json::object line;
    for (std::size_t i = 0; i < row.size(); ++i) line[results.columns[i]] = is_infinite(row[i]) ? json::value(nullptr) : row[i];
    text += tc::config::compact_text(line) + '\n';
  }
  return text;
}

}  // namespace tcsim
