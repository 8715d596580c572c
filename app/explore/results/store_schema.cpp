// SPDX-License-Identifier: Apache-2.0
#include "store_schema.hpp"

#include <fmt/format.h>

#include "sqlite_handle.hpp"

namespace tcsim {

// Values of axes and measurements have the type that they have in JSON, so their columns are declared without one.
const std::string_view store_tables = R"(
CREATE TABLE sweep(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE axes(position INTEGER PRIMARY KEY, name TEXT UNIQUE, path TEXT, unit TEXT, meaning TEXT);
CREATE TABLE metrics(position INTEGER PRIMARY KEY, name TEXT UNIQUE, origin TEXT, source TEXT, unit TEXT, description TEXT,
                     more_is_better INTEGER);
CREATE TABLE configurations(id INTEGER PRIMARY KEY, text TEXT);
CREATE TABLE runs(id INTEGER PRIMARY KEY, key TEXT UNIQUE, workload TEXT, kind TEXT, parameters TEXT, detail TEXT,
                  configuration INTEGER REFERENCES configurations, exit_status INTEGER, message TEXT, seconds REAL,
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
      "SELECT points.number AS number, runs.workload AS workload, points.run AS run, exit_status, message, seconds{}\n"
      "  FROM points JOIN runs ON runs.id = points.run",
      measured);
  for (const auto& metric : metrics)
    if (metric.from == metric::origin::expression)
      rows = fmt::format("SELECT *, ({}\n) AS {} FROM (\n{})", metric.source, quoted_name(metric.name), rows);
  return fmt::format(
      "DROP VIEW IF EXISTS results;\nCREATE VIEW results AS SELECT number, workload{}, exit_status, message, seconds, run FROM (\n{});",
      columns, rows);
}

}  // namespace tcsim
