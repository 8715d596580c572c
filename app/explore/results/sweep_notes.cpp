// SPDX-License-Identifier: Apache-2.0
#include "sweep_notes.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chance_notes.hpp"
#include "sqlite_connection.hpp"
#include "wording.hpp"

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

/// "0", or "0 to 172".
std::string extent_text(std::int64_t least, std::int64_t most) {
  return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
}

constexpr std::string_view id_of_code = "(SELECT json_extract(statistics, '$.workload.code.id') FROM runs WHERE id = results.run)";

/// The axes of machines that the code of a workload follows: points that differ in one of them alone have different code.
std::vector<std::string> axes_of_code(const result_store& store, const sweep_plan& plan, const std::string& workload) {
  std::vector<std::string> found;
  for (const sweep_axis& axis : plan.axes) {
    if (axis.path.rfind("workload.", 0) == 0) continue;
    std::vector<std::string> others{"workload"};
    for (const sweep_axis& other : plan.axes)
      if (other.name != axis.name) others.push_back(quoted_name(other.name));
    sqlite_statement groups(store.handle(),
                            fmt::format("SELECT 1 FROM results WHERE workload = ? GROUP BY {} HAVING count(DISTINCT {}) > 1",
                                        fmt::join(others, ", "), id_of_code));
    if (groups.with(workload).next()) found.push_back(axis.name);
  }
  return found;
}

bool is_only_of_bases(const sweep_plan& plan, const std::vector<std::string>& names) {
  const auto is_of_bases = [&](const std::string& name) {
    return std::any_of(plan.axes.begin(), plan.axes.end(), [&](const sweep_axis& axis) { return axis.name == name && axis.path.empty(); });
  };
  return !names.empty() && std::all_of(names.begin(), names.end(), is_of_bases);
}

/// Workloads that did not run the same code with the same parameters.
void add_notes_on_code(const result_store& store, const sweep_plan& plan, std::vector<std::string>& notes) {
  sqlite_statement workloads(store.handle(),
                             "SELECT workload, max(codes), min(least_nops), max(most_nops), min(least), max(most) FROM (\n"
                             "  SELECT workload, count(DISTINCT code ->> 'id') AS codes, min(code ->> 'nops') AS least_nops,\n"
                             "    max(code ->> 'nops') AS most_nops, min(code ->> 'instructions') AS least,\n"
                             "    max(code ->> 'instructions') AS most, min(id) AS first FROM (\n"
                             "    SELECT id, workload, parameters, json_extract(statistics, '$.workload.code') AS code FROM runs)\n"
                             "  WHERE code IS NOT NULL GROUP BY workload, parameters HAVING codes > 1)\n"
                             "GROUP BY workload ORDER BY min(first)");
  while (workloads.next()) {
    const std::vector<std::string> axes = axes_of_code(store, plan, workloads.text(0));
    notes.push_back(fmt::format(
        "the code of {} is made anew for each machine, and differs{}: {} codes of {} instructions, of which {} are NOPs; {}",
        workloads.text(0), axes.empty() ? "" : fmt::format(" with {}", fmt::join(axes, " and ")), workloads.integer(1),
        extent_text(workloads.integer(4), workloads.integer(5)), extent_text(workloads.integer(2), workloads.integer(3)),
        is_only_of_bases(plan, axes) ? "each base configuration has its own" : "--fixed-code keeps the code of the base configuration"));
  }
}

void add_notes_on_axes(const result_store& store, const sweep_plan& plan, const std::vector<std::string>& measured,
                       std::vector<std::string>& notes) {
  if (measured.empty()) return;
  for (std::size_t i = 0; i < plan.axes.size(); ++i) {
    std::vector<std::string> others{"workload"};
    for (std::size_t other = 0; other < plan.axes.size(); ++other)
      if (other != i) others.push_back(quoted_name(plan.axes[other].name));
    if (is_without_effect(store, others, measured))
      notes.push_back(fmt::format("{} changes no measured metric where nothing else changes", plan.axes[i].name));
  }
}

/// Points whose kernels draw more in their time than the part has.
void add_notes_on_bandwidth(const result_store& store, std::vector<std::string>& notes) {
  sqlite_statement rows(store.handle(),
                        "SELECT excess.value ->> 'memory', count(DISTINCT number), max(excess.value ->> 'factor'), number\n"
                        "FROM points JOIN runs ON runs.id = run, json_each(statistics, '$.beyond_the_model') AS excess\n"
                        "GROUP BY 1 ORDER BY 1");
  while (rows.next())
    notes.push_back(
        fmt::format("beyond the model: {} from {} than the part has, point {} {:.2f} times as much; silicon cannot reach such cycles",
                    rows.integer(1) == 1 ? "1 point draws more" : fmt::format("{} points draw more", rows.integer(1)),
                    rows.text(0) == "l2" ? "the L2 cache" : "DRAM", rows.integer(3), rows.real(2)));
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
  add_notes_on_axes(store, plan, measured, notes);
  add_notes_on_code(store, plan, notes);
  add_notes_on_bandwidth(store, notes);
  for (std::string& note : notes_on_chance(store, plan)) notes.push_back(std::move(note));
  return notes;
}

std::vector<sweep_warning> warnings_in(const result_store& store) {
  sqlite_statement rows(store.handle(),
                        "SELECT warning.value, count(DISTINCT number), min(number) FROM (\n"
                        "  SELECT number, run FROM points UNION SELECT points.number, varied FROM points JOIN repeats ON repeats.run = "
                        "points.run) AS asked\n"
                        "JOIN runs ON runs.id = asked.run, json_each(statistics, '$.warnings') AS warning GROUP BY warning.value\n"
                        "ORDER BY min(number), min(warning.key)");
  std::vector<sweep_warning> warnings;
  while (rows.next())
    warnings.push_back({rows.text(0), static_cast<std::size_t>(rows.integer(1)), static_cast<std::size_t>(rows.integer(2))});
  return warnings;
}

std::string text_of(const sweep_warning& warning) {
  const std::string others = warning.points == 1 ? "" : " and " + counted(warning.points - 1, "other");
  return fmt::format("point {}{}: {}", warning.first, others, warning.text);
}

}  // namespace tcsim
