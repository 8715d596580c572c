// SPDX-License-Identifier: Apache-2.0
#include "sweep_constraints.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sql_expression.hpp"
#include "sqlite_connection.hpp"
#include "sweep_expression.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

namespace json = boost::json;

/// Points in a table, which constraints are asked of as a whole.
class point_table {
 public:
  point_table(const std::vector<std::string>& axes, const std::vector<constrained_point>& points) : database_(open_in_memory()) {
    std::string columns, places;
    for (const std::string& axis : axes) {
      columns += quoted_name(axis) + ", ";
      places += "?, ";
    }
    execute(database_.get(), fmt::format("CREATE TABLE points ({}workload); BEGIN", columns));
    sqlite_statement insert(database_.get(), fmt::format("INSERT INTO points VALUES ({}?)", places));
    for (const constrained_point& point : points) {
      std::vector<json::value> row = point.values;
      row.emplace_back(point.workload);
      insert.with_all(row).run();
    }
    execute(database_.get(), "COMMIT");
  }

  /// Clears the mark of each point that does not meet the condition; how many do. Throws sqlite_error.
  std::size_t select(const std::string& condition, std::vector<bool>& marks) const {
    std::vector<bool> met(marks.size());
    std::size_t count = 0;
    for (sqlite_statement query(database_.get(), "SELECT rowid FROM points WHERE " + condition); query.next(); ++count)
      met[static_cast<std::size_t>(query.integer(0)) - 1] = true;
    for (std::size_t i = 0; i < marks.size(); ++i) marks[i] = marks[i] && met[i];
    return count;
  }

  std::string last_error() const { return sqlite3_errmsg(database_.get()); }

 private:
  database_handle database_;
};

/// The constraint, or that the point does not have one of the axes in it.
std::string condition_of(const sql_expression& expression) {
  std::string condition = fmt::format("({}\n)", expression.text());
  for (const std::string& column : expression.columns())
    if (column != "workload") condition += fmt::format(" OR {} IS NULL", quoted_name(column));
  return condition;
}

}  // namespace

std::vector<bool> meet_constraints(const std::vector<file_value>& constraints, std::string_view file_text,
                                   const std::vector<std::string>& axes, const std::vector<constrained_point>& points) {
  std::vector<bool> marks(points.size(), true);
  if (constraints.empty()) return marks;
  std::vector<std::string> columns = axes;
  columns.emplace_back("workload");
  const point_table table(axes, points);
  std::string counts;
  for (const file_value& constraint : constraints) {
    const sql_expression expression = read_expression(constraint, file_text, columns);
    try {
      const std::size_t count = table.select(condition_of(expression), marks);
      if (count == 0) throw constraint.error(fmt::format("leaves none of {}", counted(points.size(), "point")));
      counts += fmt::format("{}\"{}\" leaves {}", counts.empty() ? "" : ", ", expression.text(), count);
    } catch (const sqlite_error&) {
      throw constraint.error(table.last_error());
    }
  }
  if (std::find(marks.begin(), marks.end(), true) == marks.end())
    throw constraints.front().error(fmt::format("together the constraints leave none of {}: {}", counted(points.size(), "point"), counts));
  return marks;
}

}  // namespace tcsim
