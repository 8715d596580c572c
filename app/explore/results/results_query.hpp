// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "result_store.hpp"

namespace tcsim {

/// What somebody wants to see of the results of a sweep.
struct results_query {
  struct sort_key {
    std::string column;
    bool is_descending = false;
  };

  std::string where{};  ///< an SQL expression of the columns; empty: all points
  /// Of the view `results`; empty: number, workload, axes and metrics, as far as they tell points apart, and how many warnings, if any.
  std::vector<std::string> columns{};
  std::vector<sort_key> order{};         ///< then by number
  std::optional<std::uint64_t> limit{};  ///< of rows
  bool only_failed = false;              ///< points whose exit status is not 0, and by default why instead of the metrics
  bool only_warned = false;              ///< points with warnings
  bool each_run = false;                 ///< a row for each run of repeated points, with `repeat` and `seed`, and not their medians
  bool all_columns = false;              ///< those of `columns` by default do not depend on what values there are
};

/// Rows of results. Values are integers, real numbers, strings, or null if there is none.
struct results_rows {
  std::vector<std::string> columns;
  std::vector<std::vector<boost::json::value>> rows;
};

/// Throws usage_error for an unknown column, and for a `where` that is no expression.
results_rows find_results(const result_store& store, const results_query& query);

/// For people: aligned columns below their names, real numbers with six digits.
std::string table_of(const results_rows& results);
/// As RFC 4180 has it, but with line feeds; exact. What is not there is empty.
std::string csv_of(const results_rows& results);
/// A JSON object in each line; exact.
std::string json_lines_of(const results_rows& results);

}  // namespace tcsim
