// SPDX-License-Identifier: Apache-2.0
#include "sweep_metrics.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <tc/config/spelling.hpp>

#include "metric_table.hpp"
#include "sweep_expression.hpp"

namespace tcsim {

namespace {

std::vector<std::string> known_metric_names() {
  std::vector<std::string> names;
  for (const known_metric& each : metric_table()) names.push_back(each.what.name);
  return names;
}

/// A metric that is asked for, and where.
struct described_metric {
  metric what;
  std::optional<file_value> place;  ///< null: it is one of the table that nobody asked for by name
  std::vector<std::string> uses;    ///< columns of its expression
};

class metric_collector {
 public:
  explicit metric_collector(const sweep_file& file) : file_(file) {
    for (const auto& workload : file.workloads) kinds_.insert(workload.kind);
  }

  std::vector<metric> collect() {
    if (file_.metrics)
      for (const file_value& metric : file_.metrics->elements()) describe(metric);
    else
      for (const std::string& name : default_metrics({kinds_.begin(), kinds_.end()}))
        add({find_known_metric(name)->what, std::nullopt, {}});
    add_of_front();
    check_expressions();
    for (const described_metric& each : described_) order(each, {});
    return std::move(ordered_);
  }

 private:
  void describe(const file_value& metric) {
    if (metric.value().is_string())
      describe_known(metric);
    else
      describe_own(metric);
  }

  /// Metrics of the table that only the Pareto front names.
  void add_of_front() {
    if (!file_.pareto) return;
    for (const file_value& place : file_.pareto->elements()) {
      const std::string name = place.string();
      if (find_known_metric(name) != nullptr && !is_axis(name) && find(name) == nullptr) describe_known(place);
    }
  }

  void describe_known(const file_value& place) {
    const std::string name = place.string();
    const known_metric* const known = find_known_metric(name);
    if (known == nullptr) throw place.error(tc::config::unknown_name_text("metric", name, known_metric_names()));
    require_kind(*known, place);
    add({known->what, place, {}});
  }

  void require_kind(const known_metric& known, const file_value& place) const {
    const auto is_here = [this](const std::string& kind) { return kinds_.count(kind) != 0; };
    if (std::none_of(known.kinds.begin(), known.kinds.end(), is_here))
      throw place.error(
          fmt::format("no workload of this sweep has \"{}\"; kinds that have it: {}", known.what.name, tc::config::joined(known.kinds)));
  }

  void describe_own(const file_value& place) {
    place.require_keys({"name", "statistic", "expression", "unit", "description", "better", "more_is_better"});
    if (place.has("statistic") == place.has("expression"))
      throw place.error("a metric has one of the keys statistic (a path in the statistics) and expression (SQL)");
    metric own;
    own.name = place.member("name").string();
    check_column_name(own.name, place.member("name"));
    own.from = place.has("statistic") ? metric::origin::statistic : metric::origin::expression;
    own.source = place.member(place.has("statistic") ? "statistic" : "expression").string();
    if (own.source.empty()) throw place.member("statistic").error("names no statistic");
    if (const auto unit = place.find("unit")) own.unit = unit->string();
    if (const auto text = place.find("description")) own.description = text->string();
    own.better = preference_of(place);
    add({own, place, {}});
  }

  static metric_preference preference_of(const file_value& place) {
    const auto more = place.find("more_is_better"), better = place.find("better");
    if (more && better) throw more->error(R"(stands beside "better", which says the same)");
    if (more) return more->boolean() ? metric_preference::more : metric_preference::less;
    if (!better) return metric_preference::unsaid;
    const auto found = better->string().empty() ? std::nullopt : find_preference(better->string());
    if (!found) throw better->error(tc::config::unknown_name_text("value", better->string(), {"less", "more", "nearest_zero"}));
    return *found;
  }

  void add(const described_metric& added) {
    const std::string& name = added.what.name;
    const file_value place = added.place.value_or(file_.root());
    if (is_axis(name)) throw place.error(fmt::format("an axis has the name of the metric \"{}\"; give the axis another one", name));
    if (find(name) != nullptr) throw place.error(fmt::format("another metric has the name \"{}\"", name));
    described_.push_back(added);
  }

  const described_metric* find(const std::string& name) const {
    const auto found = std::find_if(described_.begin(), described_.end(),
                                    [&](const described_metric& each) { return is_same_column(each.what.name, name); });
    return found == described_.end() ? nullptr : &*found;
  }

  /// Finds what expressions use, and adds what is of the table.
  void check_expressions() {
    for (std::size_t i = 0; i < described_.size(); ++i) {
      if (described_[i].what.from != metric::origin::expression) continue;
      const std::vector<std::string> uses = uses_of(described_[i]);
      for (const std::string& used : uses) {
        const known_metric* const known = find_known_metric(used);
        if (known == nullptr || is_axis(used) || find(used) != nullptr) continue;
        require_kind(*known, described_[i].place.value_or(file_.root()));
        described_.push_back({known->what, std::nullopt, {}});
      }
      described_[i].uses = uses;
    }
  }

  std::vector<std::string> uses_of(const described_metric& expression) const {
    const bool is_own = expression.place && expression.place->value().is_object();
    if (!is_own) return sql_expression(expression.what.source, columns()).columns();
    return read_expression(expression.place->member("expression"), file_.text(), columns()).columns();
  }

  /// What expressions may name.
  std::vector<std::string> columns() const {
    std::vector<std::string> names{"workload"};
    for (const axis_description& axis : file_.axes) names.push_back(axis.name);
    for (const described_metric& each : described_) names.push_back(each.what.name);
    for (const known_metric& known : metric_table())
      if (!is_axis(known.what.name) && find(known.what.name) == nullptr) names.push_back(known.what.name);
    return names;
  }

  bool is_axis(const std::string& name) const {
    return std::any_of(file_.axes.begin(), file_.axes.end(), [&](const axis_description& axis) { return is_same_column(axis.name, name); });
  }

  /// Appends a metric behind those that it uses; `users` are on the way to it.
  void order(const described_metric& each, std::vector<std::string> users) {
    const std::string& name = each.what.name;
    if (std::find(users.begin(), users.end(), name) != users.end()) fail_circle(std::move(users), name);
    users.push_back(name);
    if (std::any_of(ordered_.begin(), ordered_.end(), [&](const metric& earlier) { return earlier.name == name; })) return;
    for (const std::string& used : each.uses)
      if (const described_metric* const metric = find(used)) order(*metric, users);
    ordered_.push_back(each.what);
  }

  [[noreturn]] void fail_circle(std::vector<std::string> users, const std::string& name) const {
    // One of them is of the file, for the table has no circles.
    const auto is_own = [this](const std::string& user) { return find(user)->place.has_value(); };
    const file_value place = find(*std::find_if(users.begin(), users.end(), is_own))->place.value();
    users.push_back(name);
    throw place.error(fmt::format("uses itself: {}", fmt::join(users, " uses ")));
  }

  const sweep_file& file_;
  std::set<std::string> kinds_;
  std::vector<described_metric> described_;
  std::vector<metric> ordered_;
};

}  // namespace

namespace {

/// Names what is a column already, and what would become one.
tc::config::config_error unknown_of_front(const file_value& place, std::vector<std::string> columns) {
  for (const std::string& name : known_metric_names())
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  return place.error(tc::config::unknown_name_text("metric", place.string(), columns));
}

}  // namespace

std::vector<metric> sweep_metrics(const sweep_file& file) { return metric_collector(file).collect(); }

std::vector<std::string> pareto_metrics(const sweep_file& file, const std::vector<metric>& metrics) {
  if (!file.pareto) return {};
  std::vector<std::string> columns;
  columns.reserve(metrics.size() + file.axes.size());
  for (const metric& each : metrics) columns.push_back(each.name);
  for (const axis_description& axis : file.axes) columns.push_back(axis.name);
  const std::vector<file_value> front = file.pareto->elements();
  if (front.size() != 2) throw file.pareto->error(fmt::format("names two metrics or axes, not {}", front.size()));
  for (const file_value& each : front)
    if (std::find(columns.begin(), columns.end(), each.string()) == columns.end()) throw unknown_of_front(each, columns);
  if (front[0].string() == front[1].string()) throw front[1].error("names the same metric twice");
  return {front[0].string(), front[1].string()};
}

}  // namespace tcsim
