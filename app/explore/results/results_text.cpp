// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <tc/config/json_text.hpp>

#include "results_query.hpp"
#include "text_table.hpp"

namespace tcsim {

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
