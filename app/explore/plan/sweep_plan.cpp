// SPDX-License-Identifier: Apache-2.0
#include "sweep_plan.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tc/config/json_text.hpp>

#include "text_table.hpp"
#include "wording.hpp"

namespace tcsim {

std::string_view name_of(metric_preference preference) {
  switch (preference) {
    case metric_preference::less:
      return "less";
    case metric_preference::more:
      return "more";
    case metric_preference::nearest_zero:
      return "nearest_zero";
    case metric_preference::unsaid:
      break;
  }
  return "";
}

std::optional<metric_preference> find_preference(std::string_view name) {
  for (const auto each : {metric_preference::unsaid, metric_preference::less, metric_preference::more, metric_preference::nearest_zero})
    if (name_of(each) == name) return each;
  return std::nullopt;
}

namespace {

/// Values of an axis that points have, in the order in which they come.
std::vector<std::string> values_of(const sweep_plan& plan, std::size_t axis) {
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (const sweep_point& point : plan.points) {
    if (point.values[axis].is_null()) continue;
    std::string text = tc::config::compact_text(point.values[axis]);
    if (seen.insert(text).second) values.push_back(std::move(text));
  }
  return values;
}

/// All of them if they are few; else the first ones and the last.
std::string list_text(const std::vector<std::string>& values) {
  constexpr std::size_t most = 8, first = 4;
  if (values.size() <= most) return fmt::format("{}", fmt::join(values, ", "));
  return fmt::format("{}, ... {} ({} values)", fmt::join(values.begin(), values.begin() + first, ", "), values.back(), values.size());
}

std::string workloads_text(const sweep_plan& plan) {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> points;
  for (const sweep_point& point : plan.points) {
    const std::string& name = plan.runs[point.run].workload;
    if (points[name]++ == 0) names.push_back(name);
  }
  std::string text;
  for (const std::string& name : names) text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", name, counted(points[name], "point"));
  return text;
}

/// The base configuration; with an axis of them, all of them.
std::string bases_text(const sweep_plan& plan) {
  for (std::size_t axis = 0; axis < plan.axes.size(); ++axis)
    if (plan.axes[axis].path.empty()) return fmt::format("{}, by the axis {}", list_text(values_of(plan, axis)), plan.axes[axis].name);
  return plan.base;
}

std::string axes_text(const sweep_plan& plan) {
  text_table table(std::vector(5, text_table::align::left));
  table.add({"AXIS", "VALUES", "UNIT", "PARAMETER", "MEANING"});
  for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
    const sweep_axis& row = plan.axes[axis];
    table.add({row.name, list_text(values_of(plan, axis)), row.unit, row.path, row.meaning});
  }
  return table.text();
}

std::string metrics_text(const sweep_plan& plan) {
  text_table table(std::vector(4, text_table::align::left));
  table.add({"METRIC", "FROM", "UNIT", "MEANING"});
  for (const metric& row : plan.metrics) table.add({row.name, row.source, row.unit, row.description});
  return table.text();
}

std::string_view hazards_text(std::string_view rule) {
  if (rule == "silicon") return "control codes alone keep dependent instructions apart, at all points";
  if (rule == "interlock") return "the scoreboard keeps dependent instructions apart where control codes do not, at all points";
  return "by another rule at some points than at others: sm.sub_core.issue.hazards";
}

}  // namespace

std::string sweep_plan_text(const sweep_plan& plan) {
  std::string text = fmt::format("{}: {}, {}\nbase       {}\nworkloads  {}\n", plan.name, counted(plan.points.size(), "point"),
                                 counted(plan.runs.size() + plan.counted_runs, "run"), bases_text(plan), workloads_text(plan));
  if (plan.fixed_code) text += "code       made for the base configuration, for all machines\n";
  if (!plan.hazards.empty()) text += fmt::format("hazards    {}\n", hazards_text(plan.hazards));
  if (plan.repeat > 1)
    text += fmt::format("repeated   {} runs of each point that takes time, varied by chance, besides the plain one\n", plan.repeat);
  if (!plan.axes.empty()) text += '\n' + axes_text(plan);
  if (!plan.metrics.empty()) text += '\n' + metrics_text(plan);
  return text;
}

}  // namespace tcsim
