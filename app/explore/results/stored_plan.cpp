// SPDX-License-Identifier: Apache-2.0
#include "stored_plan.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>

#include <boost/json.hpp>
#include <fmt/format.h>

#include <tc/version.hpp>

#include "exit_status.hpp"
#include "sqlite_connection.hpp"

namespace tcsim {

// Values of axes and measurements have the type that they have in JSON, so their columns are declared without one.
const std::string_view store_tables = R"(
CREATE TABLE sweep(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE axes(position INTEGER PRIMARY KEY, name TEXT UNIQUE, path TEXT, unit TEXT, meaning TEXT);
CREATE TABLE metrics(position INTEGER PRIMARY KEY, name TEXT UNIQUE, origin TEXT, source TEXT, unit TEXT, description TEXT,
                     better TEXT);
CREATE TABLE configurations(id INTEGER PRIMARY KEY, text TEXT);
CREATE TABLE runs(id INTEGER PRIMARY KEY, key TEXT UNIQUE, workload TEXT, kind TEXT, parameters TEXT, detail TEXT,
                  configuration INTEGER REFERENCES configurations, code_configuration INTEGER REFERENCES configurations, exit_status INTEGER, message TEXT, seconds REAL,
                  processor_seconds REAL, peak_kilobytes INTEGER, statistics TEXT, all_statistics TEXT);
CREATE TABLE points(number INTEGER PRIMARY KEY, run INTEGER REFERENCES runs);
CREATE TABLE axis_values(point INTEGER REFERENCES points, axis TEXT, value, PRIMARY KEY(point, axis)) WITHOUT ROWID;
CREATE TABLE measurements(run INTEGER REFERENCES runs, metric TEXT, value, PRIMARY KEY(run, metric)) WITHOUT ROWID;
)";

namespace {

std::string literal(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + '\'';
}

}  // namespace

std::string results_view(const std::vector<sweep_axis>& axes, const std::vector<metric>& metrics) {
  std::string measured, columns;
  for (const auto& axis : axes) {
    measured += fmt::format(",\n  (SELECT value FROM axis_values WHERE point = points.number AND axis = {}) AS {}", literal(axis.name),
                            quoted_name(axis.name));
    columns += ", " + quoted_name(axis.name);
  }
  for (const auto& metric : metrics) {
    columns += ", " + quoted_name(metric.name);
    if (metric.from != metric::origin::statistic) continue;
    measured += fmt::format(",\n  (SELECT value FROM measurements WHERE run = points.run AND metric = {}) AS {}", literal(metric.name),
                            quoted_name(metric.name));
  }
  std::string rows = fmt::format(
      "SELECT points.number AS number, runs.workload AS workload, points.run AS run, exit_status, message, seconds,\n"
      "  iif(statistics IS NULL, NULL, coalesce(json_array_length(statistics, '$.warnings'), 0)) AS warnings{}\n"
      "  FROM points JOIN runs ON runs.id = points.run",
      measured);
  for (const auto& metric : metrics)
    if (metric.from == metric::origin::expression)
      rows = fmt::format("SELECT *, ({}\n) AS {} FROM (\n{})", metric.source, quoted_name(metric.name), rows);
  return fmt::format(
      "DROP VIEW IF EXISTS results;\nCREATE VIEW results AS SELECT number, workload{}, exit_status, message, seconds, run, warnings FROM "
      "(\n{});",
      columns, rows);
}

namespace {

namespace json = boost::json;

constexpr std::string_view statistic_origin = "statistic", expression_origin = "expression";
constexpr std::string_view summary_detail = "summary", full_detail = "full";

std::string_view name_of(statistics_detail detail) { return detail == statistics_detail::full ? full_detail : summary_detail; }
statistics_detail detail_of(std::string_view name) { return name == full_detail ? statistics_detail::full : statistics_detail::summary; }

void write_outline(sqlite3* connection, const sweep_plan& plan) {
  sqlite_statement fact(connection, "INSERT INTO sweep VALUES (?, ?)");
  fact.with("name", plan.name).run();
  fact.with("description", plan.description).run();
  fact.with("source", plan.source).run();
  fact.with("base", plan.base).run();
  fact.with("base_configuration", plan.base_configuration).run();
  fact.with("pareto", json::serialize(json::value_from(plan.pareto))).run();
  fact.with("statistics", name_of(plan.statistics)).run();
  fact.with("fixed_code", plan.fixed_code ? "true" : "false").run();
  fact.with("hazards", plan.hazards).run();
  fact.with("format", std::to_string(store_format)).run();
  fact.with("tcsim", TC_VERSION_STRING).run();

  sqlite_statement axis_row(connection, "INSERT INTO axes VALUES (?, ?, ?, ?, ?)");
  std::size_t position = 0;
  for (const auto& axis : plan.axes) axis_row.with(position++, axis.name, axis.path, axis.unit, axis.meaning).run();

  sqlite_statement metric_row(connection, "INSERT INTO metrics VALUES (?, ?, ?, ?, ?, ?, ?)");
  position = 0;
  for (const auto& metric : plan.metrics) {
    const bool is_statistic = metric.from == metric::origin::statistic;
    metric_row
        .with(position++, metric.name, is_statistic ? statistic_origin : expression_origin, metric.source, metric.unit, metric.description,
              name_of(metric.better))
        .run();
  }
}

/// Writes each configuration once.
class configuration_writer {
 public:
  explicit configuration_writer(sqlite3* connection) : insert_(connection, "INSERT INTO configurations VALUES (?, ?)") {}

  /// Its id. `text` must outlive the writer.
  std::size_t id_of(const std::string& text) {
    const auto [known, is_new] = ids_.emplace(text, ids_.size());
    if (is_new) insert_.with(known->second, text).run();
    return known->second;
  }

 private:
  std::unordered_map<std::string_view, std::size_t> ids_;
  sqlite_statement insert_;
};

void write_runs(sqlite3* connection, const std::vector<planned_run>& runs) {
  configuration_writer configurations(connection);
  sqlite_statement row(connection,
                       "INSERT INTO runs(id, key, workload, kind, parameters, detail, configuration, code_configuration) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  std::size_t id = 0;
  for (const auto& run : runs) {
    const std::size_t configuration = configurations.id_of(run.configuration);
    const json::value code = run.code_configuration.empty() ? json::value() : json::value(configurations.id_of(run.code_configuration));
    row.with(id++, run.key, run.workload, run.kind, run.parameters, name_of(run.statistics), configuration, code).run();
  }
}

void write_points(sqlite3* connection, const sweep_plan& plan) {
  sqlite_statement row(connection, "INSERT INTO points VALUES (?, ?)"), value(connection, "INSERT INTO axis_values VALUES (?, ?, ?)");
  for (const auto& point : plan.points) {
    row.with(point.number, point.run).run();
    for (std::size_t i = 0; i < plan.axes.size(); ++i) value.with(point.number, plan.axes[i].name, point.values.at(i)).run();
  }
}

}  // namespace

void write_plan(sqlite_connection& connection, const sweep_plan& plan) {
  write_outline(connection.handle(), plan);
  write_runs(connection.handle(), plan.runs);
  write_points(connection.handle(), plan);
  try {
    connection.execute(results_view(plan.axes, plan.metrics));
    const sqlite_statement all(connection.handle(), "SELECT * FROM results");  // a view is looked at only when it is used
  } catch (const sqlite_error& error) {
    if (error.code() != SQLITE_ERROR) throw;
    throw usage_error(fmt::format("the metrics of {} are no expressions of its axes and of the metrics before them: {}", plan.name,
                                  sqlite3_errmsg(connection.handle())));
  }
}

sweep_plan read_outline(const sqlite_connection& connection) {
  sweep_plan plan;
  sqlite_statement fact(connection.handle(), "SELECT value FROM sweep WHERE key = ?");
  const auto text_of = [&](std::string_view key) { return fact.with(key).next() ? fact.text(0) : std::string(); };
  plan.name = text_of("name");
  plan.description = text_of("description");
  plan.source = text_of("source");
  plan.base = text_of("base");
  plan.base_configuration = text_of("base_configuration");
  plan.pareto = json::value_to<std::vector<std::string>>(json::parse(text_of("pareto")));
  plan.statistics = detail_of(text_of("statistics"));
  plan.fixed_code = text_of("fixed_code") == "true";
  plan.hazards = text_of("hazards");

  sqlite_statement axes(connection.handle(), "SELECT name, path, unit, meaning FROM axes ORDER BY position");
  while (axes.next()) plan.axes.push_back({axes.text(0), axes.text(1), axes.text(2), axes.text(3)});

  sqlite_statement metrics(connection.handle(), "SELECT name, origin, source, unit, description, better FROM metrics ORDER BY position");
  while (metrics.next())
    plan.metrics.push_back({metrics.text(0), metrics.text(1) == statistic_origin ? metric::origin::statistic : metric::origin::expression,
                            metrics.text(2), metrics.text(3), metrics.text(4),
                            find_preference(metrics.text(5)).value_or(metric_preference::unsaid)});
  return plan;
}

planned_run read_run(const sqlite_connection& connection, std::int64_t id) {
  sqlite_statement row(connection.handle(),
                       "SELECT key, workload, kind, parameters, machine.text, detail, code.text FROM runs "
                       "JOIN configurations AS machine ON machine.id = configuration "
                       "LEFT JOIN configurations AS code ON code.id = code_configuration WHERE runs.id = ?");
  if (!row.with(id).next()) throw std::out_of_range("the results have no run of this number");
  return {row.text(0), row.text(1), row.text(2), row.text(3), row.text(4), detail_of(row.text(5)), row.text(6)};
}

}  // namespace tcsim
