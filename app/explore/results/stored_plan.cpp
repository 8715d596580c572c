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
CREATE TABLE repeats(run INTEGER REFERENCES runs, number INTEGER, varied INTEGER REFERENCES runs, PRIMARY KEY(run, number)) WITHOUT ROWID;
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

namespace {

/// The columns of the axes and of the metrics, with commas in front.
std::string named_columns(const sweep_plan& plan) {
  std::string columns;
  for (const auto& axis : plan.axes) columns += ", " + quoted_name(axis.name);
  for (const auto& metric : plan.metrics) columns += ", " + quoted_name(metric.name);
  return columns;
}

/// A row for each point; with repeats for each of its runs, which then has the columns `repeat` and `seed`.
std::string rows_of(const sweep_plan& plan) {
  const bool is_repeated = plan.repeat > 1;
  const std::string_view run = is_repeated ? "repeats.varied" : "points.run";
  std::string measured;
  for (const auto& axis : plan.axes)
    measured += fmt::format(",\n  (SELECT value FROM axis_values WHERE point = points.number AND axis = {}) AS {}", literal(axis.name),
                            quoted_name(axis.name));
  for (const auto& metric : plan.metrics)
    if (metric.from == metric::origin::statistic)
      measured += fmt::format(",\n  (SELECT value FROM measurements WHERE run = {} AND metric = {}) AS {}", run, literal(metric.name),
                              quoted_name(metric.name));
  constexpr std::string_view seed =
      ", repeats.number AS repeat,\n  (SELECT text ->> '$.jitter.seed' FROM configurations WHERE id = configuration) AS seed";
  std::string rows = fmt::format(
      "SELECT points.number AS number, runs.workload AS workload, {0} AS run, exit_status, message, seconds,\n"
      "  iif(statistics IS NULL, NULL, coalesce(json_array_length(statistics, '$.warnings'), 0)) AS warnings{1}{2}\n"
      "  FROM points {3}JOIN runs ON runs.id = {0}",
      run, is_repeated ? seed : "", measured, is_repeated ? "JOIN repeats ON repeats.run = points.run " : "");
  for (const auto& metric : plan.metrics)
    if (metric.from == metric::origin::expression)
      rows = fmt::format("SELECT *, ({}\n) AS {} FROM (\n{})", metric.source, quoted_name(metric.name), rows);
  return rows;
}

/// Statistics of which one run with any is as bad as all: no median may hide them.
bool counts_mistakes(const metric& each) {
  return each.from == metric::origin::statistic &&
         (each.source == "mismatches" || each.source == "addresses.different" || each.source == "undefined");
}

/// The columns of a metric: the median of the runs that count, of which two in the middle give the lower one, the least and the most.
/// `rank` and `count` are columns. Of mistakes the most of all runs stands for the median.
std::string columns_of_repeats(const metric& each, const std::string& rank, const std::string& count) {
  const std::string name = quoted_name(each.name);
  const std::string middle = counts_mistakes(each) ? fmt::format("max({})", name)
                                                   : fmt::format("max(iif(counts AND {} = ({} + 1) / 2, {}, NULL))", rank, count, name);
  return fmt::format(",\n  {0} AS {1}, min(iif(counts, {1}, NULL)) AS {2}, max(iif(counts, {1}, NULL)) AS {3}", middle, name,
                     quoted_name(least_column(each.name)), quoted_name(most_column(each.name)));
}

/// A row for each point, from its runs. Those count that chance varies, or the plain one where there is no other. The worst exit status is
/// that of the point, with a message of it; so is the largest number of warnings.
std::string results_of_repeats(const sweep_plan& plan) {
  std::string ranks, columns;
  for (const auto& axis : plan.axes) columns += ", " + quoted_name(axis.name);
  std::size_t i = 0;
  for (const auto& metric : plan.metrics) {
    const std::string name = quoted_name(metric.name), rank = quoted_name(fmt::format("rank {}", i)),
                      count = quoted_name(fmt::format("count {}", i));
    ++i;
    ranks += fmt::format(
        ",\n  row_number() OVER (PARTITION BY number, counts ORDER BY {0} NULLS LAST) AS {1}, "
        "count({0}) OVER (PARTITION BY number, counts) AS {2}",
        name, rank, count);
    columns += columns_of_repeats(metric, rank, count);
  }
  return fmt::format(
      "SELECT number, workload{},\n  iif(count(exit_status) = count(*), max(exit_status), NULL) AS exit_status,\n"
      "  max(iif(exit_status = worst, message, NULL)) AS message, sum(seconds) AS seconds,\n"
      "  (SELECT run FROM points WHERE points.number = ranked.number) AS run, max(warnings) AS warnings FROM (\n"
      "  SELECT *, max(exit_status) OVER (PARTITION BY number) AS worst{} FROM (\n"
      "  SELECT *, repeat > 0 OR count(*) OVER (PARTITION BY number) = 1 AS counts FROM repeated_results)) AS ranked\n  GROUP BY number",
      columns, ranks);
}

}  // namespace

std::string results_view(const sweep_plan& plan, view_place where) {
  const std::string_view schema = where == view_place::file ? "main" : "temp";
  std::string statements = "DROP VIEW IF EXISTS temp.results;\nDROP VIEW IF EXISTS temp.repeated_results;\n";
  if (where == view_place::file) statements += "DROP VIEW IF EXISTS main.results;\nDROP VIEW IF EXISTS main.repeated_results;\n";
  const std::string columns = named_columns(plan);
  if (plan.repeat == 1)
    return fmt::format("{}CREATE VIEW {}.results AS SELECT number, workload{}, exit_status, message, seconds, run, warnings FROM (\n{});",
                       statements, schema, columns, rows_of(plan));
  return fmt::format(
      "{0}CREATE VIEW {1}.repeated_results AS SELECT number, repeat, seed, workload{2}, exit_status, message, seconds, run, warnings FROM "
      "(\n{3});\nCREATE VIEW {1}.results AS {4};",
      statements, schema, columns, rows_of(plan), results_of_repeats(plan));
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
  fact.with("repeat", std::to_string(plan.repeat)).run();
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

/// The runs of a point: number 0 is the plain one, unless chance has a part in it, and it is number 1.
void write_repeats(sqlite3* connection, const sweep_plan& plan) {
  if (plan.repeat == 1) return;
  sqlite_statement row(connection, "INSERT OR IGNORE INTO repeats VALUES (?, ?, ?)");
  for (const auto& point : plan.points) {
    const std::vector<std::size_t>& repeats = plan.repeats.at(point.run);
    if (repeats.empty() || repeats.front() != point.run) row.with(point.run, 0, point.run).run();
    std::size_t number = 0;
    for (const std::size_t varied : repeats) row.with(point.run, ++number, varied).run();
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
  write_repeats(connection.handle(), plan);
  write_points(connection.handle(), plan);
  try {
    connection.execute(results_view(plan));
    const sqlite_statement all(connection.handle(), "SELECT * FROM results");  // a view is looked at only when it is used
  } catch (const sqlite_error& error) {
    if (error.code() != SQLITE_ERROR) throw;
    throw usage_error(fmt::format("the metrics of {} are no expressions of its axes and of the metrics before them: {}", plan.name,
                                  sqlite3_errmsg(connection.handle())));
  }
}

namespace {

std::int64_t format_of(const sqlite_connection& connection) {
  sqlite_statement format(connection.handle(), "PRAGMA user_version");
  return format.next() ? format.integer(0) : 0;
}

}  // namespace

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
  plan.repeat = static_cast<unsigned>(std::stoul(text_of("repeat")));
  if (format_of(connection) == store_format_with_plain_runs && plan.repeat > 1) --plan.repeat;

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
