// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "exit_status.hpp"

namespace tcsim {

/// A mistake in an SQL expression. what() does not say where it is; offset() does.
class sql_error : public usage_error {
 public:
  sql_error(const std::string& message, std::size_t offset) : usage_error(message), offset_(offset) {}

  /// Bytes from the beginning of the expression.
  std::size_t offset() const { return offset_; }

 private:
  std::size_t offset_;
};

/// An expression in the SQL of SQLite that uses columns of one table, such as `banks * collectors <= 16`. It has neither subqueries nor
/// aggregates nor parameters, and of the functions only those that always give the same for the same (known_functions()): so it can stand
/// in any SELECT of that table, in parentheses.
class sql_expression {
 public:
  /// Throws sql_error unless `text` is such an expression of these columns, of which there is at least one.
  sql_expression(std::string text, const std::vector<std::string>& columns);

  const std::string& text() const { return text_; }
  /// The columns that it names, in the order of the table.
  const std::vector<std::string>& columns() const { return columns_; }

  static const std::vector<std::string>& known_functions();

 private:
  std::string text_;
  std::vector<std::string> columns_;
};

}  // namespace tcsim
