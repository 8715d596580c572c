// SPDX-License-Identifier: Apache-2.0
#include "sweep_expression.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "sql_expression.hpp"

namespace tcsim {

namespace {

bool is_identifier(const std::string& name) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  const auto is_letter_or_digit = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && is_letter(static_cast<unsigned char>(name.front())) && std::all_of(name.begin(), name.end(), is_letter_or_digit);
}

/// Whether SQL takes the name for that of a column, and not for a word of its own.
bool is_column_to_sql(const std::string& name) {
  try {
    return sql_expression(name, {name}).columns().size() == 1;
  } catch (const sql_error&) {
    return false;
  }
}

}  // namespace

const std::vector<std::string>& common_columns() {
  static const std::vector<std::string> names = {"number", "point", "run", "workload", "exit_status", "message", "seconds", "warnings"};
  return names;
}

void check_column_name(const std::string& name, const file_value& place) {
  if (!is_identifier(name))
    throw place.error(fmt::format(R"("{}" cannot be the name of a column: give a "name" of letters, digits and _)", name));
  for (const std::string& common : common_columns())
    if (is_same_column(name, common)) throw place.error(fmt::format(R"(every sweep has a column "{}": give another "name")", common));
  if (!is_column_to_sql(name)) throw place.error(fmt::format(R"("{}" is a word of SQL: give another "name")", name));
}

bool is_same_column(const std::string& a, const std::string& b) {
  const auto is_same_letter = [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_same_letter);
}

sql_expression read_expression(const file_value& string, std::string_view file_text, const std::vector<std::string>& columns) {
  try {
    return {string.string(), columns};
  } catch (const sql_error& error) {
    throw string.error_within(file_text, error.offset(), error.what());
  }
}

}  // namespace tcsim
