// SPDX-License-Identifier: Apache-2.0
#include "chance_notes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rank_test.hpp"
#include "sqlite_connection.hpp"
#include "workload.hpp"

namespace tcsim {

namespace {

namespace json = boost::json;

/// A finished point with what chance made of each metric.
struct repeated_point {
  std::int64_t number = 0;
  std::string workload{};
  std::vector<json::value> axes{};
  std::vector<std::vector<double>> runs{};  ///< by metric, sorted; empty: the point has no such number
};

std::vector<repeated_point> repeated_points(const result_store& store, const sweep_plan& plan) {
  std::string columns;
  for (const auto& axis : plan.axes) columns += ", " + quoted_name(axis.name);
  for (const auto& metric : plan.metrics) columns += ", " + quoted_name(metric.name);
  sqlite_statement rows(
      store.handle(),
      fmt::format("SELECT number, workload{} FROM repeated_results WHERE repeat > 0 AND exit_status <= 1 ORDER BY number", columns));
  std::vector<repeated_point> points;
  while (rows.next()) {
    if (points.empty() || points.back().number != rows.integer(0)) {
      repeated_point& point = points.emplace_back(repeated_point{rows.integer(0), rows.text(1)});
      for (std::size_t i = 0; i < plan.axes.size(); ++i) point.axes.push_back(rows.value(static_cast<int>(i) + 2));
      point.runs.resize(plan.metrics.size());
    }
    for (std::size_t i = 0; i < plan.metrics.size(); ++i)
      if (const json::value value = rows.value(static_cast<int>(plan.axes.size() + i) + 2); value.is_number())
        points.back().runs[i].push_back(value.to_number<double>());
  }
  for (repeated_point& point : points)
    for (auto& runs : point.runs) std::sort(runs.begin(), runs.end());
  return points;
}

using neighbours = std::pair<const repeated_point*, const repeated_point*>;

/// Points that differ in one axis alone, by as little as points do.
std::vector<neighbours> neighbours_along(const std::vector<repeated_point>& points, std::size_t axis) {
  std::map<std::string, std::vector<const repeated_point*>> lines;
  for (const repeated_point& point : points) {
    if (point.axes[axis].is_null()) continue;
    json::array others(point.axes.begin(), point.axes.end());
    others[axis] = json::string(point.workload);
    lines[json::serialize(others)].push_back(&point);
  }
  std::vector<neighbours> found;
  for (auto& [key, line] : lines) {
    const auto is_number = [axis](const repeated_point* point) { return point->axes[axis].is_number(); };
    if (std::all_of(line.begin(), line.end(), is_number))
      std::stable_sort(line.begin(), line.end(), [axis](const repeated_point* x, const repeated_point* y) {
        return x->axes[axis].to_number<double>() < y->axes[axis].to_number<double>();
      });
    for (std::size_t i = 1; i < line.size(); ++i) found.emplace_back(line[i - 1], line[i]);
  }
  std::sort(found.begin(), found.end(), [](const neighbours& x, const neighbours& y) { return x.first->number < y.first->number; });
  return found;
}

double median_of(const std::vector<double>& sorted) { return sorted[(sorted.size() - 1) / 2]; }

double spread_of(const std::vector<double>& sorted) {
  const double median = std::abs(median_of(sorted));
  return median == 0 ? 0 : (sorted.back() - sorted.front()) / median;
}

/// What a metric does between neighbours whose medians differ.
struct verdicts {
  std::vector<std::string> within_chance{};  ///< the pairs, by their numbers
  std::size_t pairs = 0, too_few = 0;
  double spread = 0;  ///< the largest of a point's runs

  void add(const neighbours& pair, std::size_t metric) {
    const std::vector<double>&a = pair.first->runs[metric], &b = pair.second->runs[metric];
    if (a.empty() || b.empty() || median_of(a) == median_of(b)) return;
    ++pairs;
    spread = std::max({spread, spread_of(a), spread_of(b)});
    const chance_verdict verdict = compare_by_ranks(a, b).verdict;
    if (verdict == chance_verdict::within_chance)
      within_chance.push_back(fmt::format("{} and {}", pair.first->number, pair.second->number));
    if (verdict == chance_verdict::too_few_runs) ++too_few;
  }

  /// "at 2 of 3 pairs (points 1 and 2, 2 and 3)".
  std::string place() const {
    constexpr std::size_t most = 4;
    const std::size_t shown = std::min(most, within_chance.size());
    const auto first = within_chance.begin();
    return fmt::format("at {} of {} pairs (points {}{})", within_chance.size(), pairs,
                       fmt::join(first, first + static_cast<std::ptrdiff_t>(shown), ", "),
                       shown < within_chance.size() ? fmt::format(" and {} more", within_chance.size() - shown) : "");
  }
};

/// Metrics of which the same neighbours are within chance are told together, each with how far the runs of a point lie apart.
class told_metrics {
 public:
  void add(const std::string& metric, const verdicts& all) {
    const std::string place = all.place(), text = fmt::format("{} ({:.2g} %)", metric, 100 * all.spread);
    const auto known = std::find_if(groups_.begin(), groups_.end(), [&](const auto& group) { return group.first == place; });
    if (known == groups_.end())
      groups_.push_back({place, {text}});
    else
      known->second.push_back(text);
  }

  bool empty() const { return groups_.empty(); }
  std::string text() const {
    std::vector<std::string> parts;
    parts.reserve(groups_.size());
    for (const auto& [place, metrics] : groups_) parts.push_back(fmt::format("{} {}", fmt::join(metrics, ", "), place));
    return fmt::format("{}", fmt::join(parts, "; "));
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> groups_;  ///< by place
};

bool takes_time(const result_store& store) {
  sqlite_statement kinds(store.handle(), "SELECT DISTINCT kind FROM runs");
  while (kinds.next())
    if (workload_takes_time(kinds.text(0))) return true;
  return false;
}

std::vector<std::string> notes_on_single_runs(const result_store& store) {
  sqlite_statement differing(
      store.handle(),
      "SELECT count(DISTINCT statistics ->> 'cycles') FROM runs WHERE exit_status <= 1 GROUP BY workload, parameters "
      "ORDER BY 1 DESC");
  if (!takes_time(store) || !differing.next() || differing.integer(0) < 2) return {};
  return {"each point ran once: a difference of a few percent can be chance; \"repeat\": 5 in the sweep file tells whether it is"};
}

}  // namespace

std::vector<std::string> notes_on_chance(const result_store& store, const sweep_plan& plan) {
  if (plan.repeat == 1) return notes_on_single_runs(store);
  const std::vector<repeated_point> points = repeated_points(store, plan);
  std::vector<std::string> notes;
  bool are_too_few = false;
  for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
    const std::vector<neighbours> pairs = neighbours_along(points, axis);
    told_metrics told;
    for (std::size_t metric = 0; metric < plan.metrics.size(); ++metric) {
      verdicts all;
      for (const neighbours& pair : pairs) all.add(pair, metric);
      are_too_few = are_too_few || all.too_few > 0;
      if (!all.within_chance.empty()) told.add(plan.metrics[metric].name, all);
    }
    if (!told.empty())
      notes.push_back(fmt::format("within chance between neighbours along {}, with how far runs of a point lie apart at most: {}",
                                  plan.axes[axis].name, told.text()));
  }
  if (are_too_few)
    notes.push_back(
        fmt::format("{} runs of a point are too few to tell whether differences are more than chance: \"repeat\" has to be {} at least",
                    plan.repeat, fewest_runs_to_tell));
  return notes;
}

}  // namespace tcsim
