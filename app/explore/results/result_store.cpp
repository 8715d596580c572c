// SPDX-License-Identifier: Apache-2.0
#include "result_store.hpp"

#include <algorithm>
#include <optional>
#include <sqlite3.h>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "atomic_file.hpp"
#include "exit_status.hpp"
#include "sqlite_connection.hpp"
#include "statistics_summary.hpp"
#include "stored_plan.hpp"
#include "writer_lock.hpp"

namespace tcsim {

namespace {

namespace json = boost::json;

/// A check that failed is a result; what did not end is none.
constexpr std::string_view is_unfinished = "exit_status IS NULL OR exit_status > 1";

constexpr std::string_view forget_all =
    "DELETE FROM measurements; DELETE FROM axis_values; DELETE FROM points; DELETE FROM repeats; DELETE FROM runs; DELETE FROM "
    "configurations; "
    "DELETE FROM metrics; DELETE FROM axes; DELETE FROM sweep;";

std::int64_t integer_of(sqlite3* connection, std::string_view query) {
  sqlite_statement statement(connection, query);
  return statement.next() ? statement.integer(0) : 0;
}

std::vector<std::int64_t> integers_of(sqlite3* connection, std::string_view query) {
  sqlite_statement statement(connection, query);
  std::vector<std::int64_t> integers;
  while (statement.next()) integers.push_back(statement.integer(0));
  return integers;
}

usage_error no_results(const std::filesystem::path& file) {
  return usage_error(fmt::format("{}: this file holds no results of tcsim sweep", file.string()));
}

usage_error as_usage_error(const std::filesystem::path& file, const sqlite_error& error) {
  return error.code() == SQLITE_NOTADB ? no_results(file) : usage_error(error.what());
}

/// Throws usage_error unless it holds results of this format.
void check_format(const std::filesystem::path& file, sqlite3* connection) {
  const std::int64_t application = integer_of(connection, "PRAGMA application_id"), format = integer_of(connection, "PRAGMA user_version");
  if (application != store_application) throw no_results(file);
  if (format != store_format && format != store_format_with_plain_runs)
    throw usage_error(fmt::format("{}: results of format {}; this tcsim reads formats {} and {}, and tcsim sweep --fresh replaces them",
                                  file.string(), format, store_format_with_plain_runs, store_format));
}

bool is_ours(const std::filesystem::path& file) {
  try {
    const sqlite_connection old(file, sqlite_connection::access::read);
    return integer_of(old.handle(), "PRAGMA application_id") == store_application;
  } catch (const sqlite_error& error) {
    if (error.code() == SQLITE_NOTADB) return false;
    throw as_usage_error(file, error);
  }
}

void make_file(const std::filesystem::path& file, const sweep_plan& plan, result_store::journal kind) {
  sqlite_connection connection(file, sqlite_connection::access::write);
  connection.execute("PRAGMA journal_mode = off");  // a file that is not made to its end is removed
  {
    sqlite_transaction transaction(connection);
    connection.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", store_application, store_format));
    connection.execute(std::string(store_tables));
    write_plan(connection, plan);
    transaction.commit();
  }
  connection.execute(kind == result_store::journal::write_ahead ? "PRAGMA journal_mode = wal" : "PRAGMA journal_mode = delete");
}

auto as_tuple(const sweep_axis& axis) { return std::tie(axis.name, axis.path, axis.unit, axis.meaning); }

auto as_tuple(const metric& metric) {
  return std::tie(metric.name, metric.from, metric.source, metric.unit, metric.description, metric.better);
}

template <class Element>
bool are_equal(const std::vector<Element>& a, const std::vector<Element>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) { return as_tuple(x) == as_tuple(y); });
}

/// True if two plans are equal apart from runs and points.
bool have_equal_outlines(const sweep_plan& a, const sweep_plan& b) {
  const auto texts = [](const sweep_plan& plan) {
    return std::tie(plan.name, plan.description, plan.source, plan.base, plan.base_configuration, plan.pareto, plan.statistics,
                    plan.fixed_code, plan.hazards, plan.repeat);
  };
  return texts(a) == texts(b) && are_equal(a.axes, b.axes) && are_equal(a.metrics, b.metrics);
}

/// Metrics that are in the statistics of runs.
class measurer {
 public:
  measurer(sqlite3* connection, const std::vector<metric>& metrics)
      : metrics_(metrics), insert_(connection, "INSERT INTO measurements VALUES (?, ?, ?)") {}

  void measure(std::int64_t run, const std::string& statistics) {
    if (statistics.empty()) return;
    const json::value summary = json::parse(statistics);
    for (const auto& metric : metrics_) {
      if (metric.from != metric::origin::statistic) continue;
      if (const auto value = measured(summary.as_object(), metric.source)) insert_.with(run, metric.name, *value).run();
    }
  }

 private:
  std::vector<metric> metrics_;
  sqlite_statement insert_;
};

}  // namespace

class result_store::connection {
 public:
  connection(const std::filesystem::path& file, access how) : database(file, mode_of(how)) {
    check_format(file, database.handle());
    if (integer_of(database.handle(), "PRAGMA user_version") == store_format_with_plain_runs)
      database.execute("PRAGMA query_only = off;\n" + results_view(read_outline(database), view_place::connection) +
                       (how == access::write ? "" : "PRAGMA query_only = on;"));
    if (how == access::write) database.execute("PRAGMA synchronous = normal");
    prepare();
  }

  /// Prepares what saves: after the plan has changed, too.
  void prepare() {
    measure.emplace(database.handle(), read_outline(database).metrics);
    save.emplace(database.handle(),
                 "UPDATE runs SET exit_status = ?2, message = ?3, seconds = ?4, processor_seconds = ?5, peak_kilobytes = ?6, "
                 "statistics = nullif(?7, ''), all_statistics = nullif(?8, '') WHERE id = ?1");
    forget.emplace(database.handle(), "DELETE FROM measurements WHERE run = ?");
  }

  void record(std::int64_t id, const finished_run& finished) {
    save->with(id, finished.exit_status, finished.message, finished.cost.seconds, finished.cost.processor_seconds,
               finished.cost.peak_kilobytes, finished.statistics, finished.all_statistics)
        .run();
    forget->with(id).run();
    measure->measure(id, finished.statistics);
  }

  static sqlite_connection::access mode_of(access how) {
    switch (how) {
      case access::read:
        return sqlite_connection::access::read;
      case access::immutable:
        return sqlite_connection::access::immutable;
      case access::write:
        break;
    }
    return sqlite_connection::access::write;
  }

  std::optional<writer_lock> lock;
  sqlite_connection database;  // closed before the lock ends
  std::optional<measurer> measure;
  std::optional<sqlite_statement> save, forget;
};

result_store::result_store(std::unique_ptr<connection> opened) : connection_(std::move(opened)) {}
result_store::result_store(result_store&&) noexcept = default;
result_store& result_store::operator=(result_store&&) noexcept = default;
result_store::~result_store() = default;

sqlite3* result_store::handle() const { return connection_->database.handle(); }

result_store result_store::open(const std::filesystem::path& file, access how) {
  if (!std::filesystem::is_regular_file(file)) throw usage_error(fmt::format("{}: there is no such file of results", file.string()));
  try {
    std::optional<writer_lock> lock;
    if (how == access::write) lock.emplace(file);
    auto opened = std::make_unique<connection>(file, how);
    opened->lock = std::move(lock);
    return result_store(std::move(opened));
  } catch (const sqlite_error& error) {
    // Where nobody may write, SQLite cannot share a file of WAL mode. If it has no log, nobody is writing it.
    const bool is_shut = error.code() == SQLITE_CANTOPEN || error.code() == SQLITE_READONLY;
    if (is_shut && how == access::read && !std::filesystem::exists(file.string() + "-wal")) return open(file, access::immutable);
    throw as_usage_error(file, error);
  }
}

result_store result_store::create(const std::filesystem::path& file, const sweep_plan& plan, journal kind) {
  if (std::filesystem::exists(file)) throw usage_error(fmt::format("{}: this file exists", file.string()));
  make_new_atomically(file, [&](const std::filesystem::path& temporary) { make_file(temporary, plan, kind); });
  return open(file, access::write);
}

result_store result_store::replace(const std::filesystem::path& file, const sweep_plan& plan) {
  if (!std::filesystem::exists(file)) return create(file, plan);
  std::optional<writer_lock> lock;
  lock.emplace(file);
  if (!is_ours(file)) throw usage_error(fmt::format("{}; remove it yourself", no_results(file).what()));
  make_atomically(file, [&](const std::filesystem::path& temporary) {
    make_file(temporary, plan, journal::write_ahead);
    for (const char* const companion : {"-wal", "-shm"}) std::filesystem::remove(file.string() + companion);  // of the old file
  });
  return open(file, access::write);
}

void result_store::replan(const sweep_plan& plan) {
  sqlite_connection& database = connection_->database;
  if (is_planned(plan)) return;
  sqlite_transaction transaction(database);
  database.execute(
      "CREATE TEMP TABLE kept AS SELECT key, exit_status, message, seconds, processor_seconds, peak_kilobytes, statistics, all_statistics "
      "FROM runs WHERE exit_status IS NOT NULL");
  database.execute(std::string(forget_all));
  database.execute(fmt::format("PRAGMA user_version = {}", store_format));
  write_plan(database, plan);
  database.execute(
      "UPDATE runs SET (exit_status, message, seconds, processor_seconds, peak_kilobytes, statistics, all_statistics) = "
      "(kept.exit_status, kept.message, kept.seconds, kept.processor_seconds, kept.peak_kilobytes, kept.statistics, kept.all_statistics) "
      "FROM temp.kept WHERE kept.key = runs.key");
  database.execute("DROP TABLE temp.kept");
  connection_->prepare();
  sqlite_statement runs(handle(), "SELECT id, statistics FROM runs WHERE statistics IS NOT NULL");
  while (runs.next()) connection_->measure->measure(runs.integer(0), runs.text(1));
  transaction.commit();
}

result_store::done_runs result_store::done_of(const sweep_plan& plan) const {
  std::unordered_set<std::string_view> asked_for;
  for (const planned_run& run : plan.runs) asked_for.insert(run.key);
  done_runs done;
  sqlite_statement keys(handle(), "SELECT key FROM runs WHERE exit_status <= 1");
  for (; keys.next(); ++done.all) done.asked_for += asked_for.count(keys.text(0));
  return done;
}

bool result_store::is_planned(const sweep_plan& plan) const {
  if (!have_equal_outlines(outline(), plan) || point_count() != plan.points.size() || run_count() != plan.runs.size()) return false;
  sqlite_statement keys(handle(), "SELECT key FROM runs ORDER BY id");
  return std::all_of(plan.runs.begin(), plan.runs.end(), [&](const planned_run& run) { return keys.next() && keys.text(0) == run.key; });
}

sweep_plan result_store::outline() const { return read_outline(connection_->database); }

std::size_t result_store::run_count() const { return static_cast<std::size_t>(integer_of(handle(), "SELECT count(*) FROM runs")); }

std::size_t result_store::point_count() const { return static_cast<std::size_t>(integer_of(handle(), "SELECT count(*) FROM points")); }

std::vector<std::int64_t> result_store::unfinished_runs() const {
  return integers_of(handle(), fmt::format("SELECT id FROM runs WHERE {} ORDER BY id", is_unfinished));
}

std::vector<std::int64_t> result_store::all_runs() const { return integers_of(handle(), "SELECT id FROM runs ORDER BY id"); }

planned_run result_store::run(std::int64_t id) const { return read_run(connection_->database, id); }

std::optional<finished_run> result_store::finished(std::int64_t id) const {
  sqlite_statement row(handle(),
                       "SELECT exit_status, message, statistics, all_statistics, seconds, processor_seconds, peak_kilobytes FROM runs "
                       "WHERE id = ? AND exit_status IS NOT NULL");
  if (!row.with(id).next()) return std::nullopt;
  return finished_run{static_cast<int>(row.integer(0)),
                      row.text(1),
                      row.text(2),
                      row.text(3),
                      {row.real(4), row.real(5), static_cast<std::uint64_t>(row.integer(6))}};
}

void result_store::save(std::int64_t id, const finished_run& finished) {
  sqlite_transaction transaction(connection_->database);
  connection_->record(id, finished);
  transaction.commit();
}

std::size_t result_store::merge(const result_store& other) {
  sqlite_transaction transaction(connection_->database);
  sqlite_statement there(other.handle(), "SELECT id, key FROM runs WHERE exit_status IS NOT NULL ORDER BY id"),
      here(handle(), "SELECT id, exit_status FROM runs WHERE key = ?");
  std::size_t taken = 0;
  while (there.next()) {
    if (!here.with(there.text(1)).next()) continue;
    const std::int64_t id = here.integer(0);
    const bool is_missing = here.is_null(1), is_failed = !is_missing && here.integer(1) > 1;
    if (!is_missing && !is_failed) continue;
    const auto finished = other.finished(there.integer(0));
    if (!is_missing && finished->exit_status > 1) continue;
    connection_->record(id, *finished);
    ++taken;
  }
  transaction.commit();
  return taken;
}

}  // namespace tcsim
