// SPDX-License-Identifier: Apache-2.0
#include "sweep_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sqlite_connection.hpp"

namespace tcsim {

namespace {

constexpr std::string_view finished_points = "SELECT * FROM results WHERE exit_status <= 1";

/// True if points that differ in this axis alone are there, and all have the same metrics. `others` are the columns that tell apart points.
bool is_without_effect(const result_store& store, const std::vector<std::string>& others, const std::vector<std::string>& metrics) {
  std::vector<std::string> differences;
  differences.reserve(metrics.size());
  for (const auto& metric : metrics)
    differences.push_back(fmt::format("min({0}) IS NOT max({0}) OR count({0}) NOT IN (0, count(*))", metric));
  sqlite_statement groups(store.handle(),
                          fmt::format("SELECT count(*), coalesce(sum(differs), 0) FROM (SELECT {} AS differs FROM ({}) GROUP BY {} "
                                      "HAVING count(*) > 1)",
                                      fmt::join(differences, " OR "), finished_points, fmt::join(others, ", ")));
  return groups.next() && groups.integer(0) > 0 && groups.integer(1) == 0;
}

bool is_nowhere(const result_store& store, const std::string& metric) {
  sqlite_statement counts(store.handle(), fmt::format("SELECT count(*), count({}) FROM ({})", metric, finished_points));
  return counts.next() && counts.integer(0) > 0 && counts.integer(1) == 0;
}

}  // namespace

std::vector<std::string> notes_on(const result_store& store) {
  const sweep_plan plan = store.outline();
  std::vector<std::string> notes, measured;
  for (const auto& metric : plan.metrics) {
    if (is_nowhere(store, quoted_name(metric.name)))
      notes.push_back(fmt::format("no point has the metric {} ({})", metric.name, metric.source));
    else if (metric.from == metric::origin::statistic)
      measured.push_back(quoted_name(metric.name));
  }
  if (measured.empty()) return notes;
  for (std::size_t i = 0; i < plan.axes.size(); ++i) {
    std::vector<std::string> others{"workload"};
    for (std::size_t other = 0; other < plan.axes.size(); ++other)
      if (other != i) others.push_back(quoted_name(plan.axes[other].name));
    if (is_without_effect(store, others, measured))
      notes.push_back(fmt::format("{} changes no measured metric where nothing else changes", plan.axes[i].name));
  }
  return notes;
}

}  // namespace tcsim
