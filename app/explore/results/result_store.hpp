// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "sweep_plan.hpp"

struct sqlite3;

namespace tcsim {

/// What the process that ran something cost the host.
struct host_cost {
  double seconds = 0;                ///< from start to end
  double processor_seconds = 0;      ///< user and system
  std::uint64_t peak_kilobytes = 0;  ///< resident
};

/// How a run ended.
struct finished_run {
  int exit_status = 0;           ///< as of `tcsim`: 0 done, 1 a check failed, 2 bad input, 3 the model stopped; 128 + n: killed by signal n
  std::string message{};         ///< why, unless 0
  std::string statistics{};      ///< summary of the statistics as JSON in one line; empty: there is no result
  std::string all_statistics{};  ///< as JSON in one line, if the run is planned so
  host_cost cost{};
};

/// The results of a sweep: one SQLite file, in WAL mode, that holds the plan and what came of it. Tables:
///
/// * `sweep(key, value)`: name, description, source, base, base_configuration, pareto, statistics, fixed_code, repeat, format,
///   tcsim
/// * `axes(position, name, path, unit, meaning)`
/// * `metrics(position, name, origin, source, unit, description, better)`
/// * `configurations(id, text)`: effective configurations, as JSON
/// * `runs(id, key, workload, kind, parameters, detail, configuration, code_configuration, exit_status, message, seconds,
///   processor_seconds, peak_kilobytes, statistics, all_statistics)`: `code_configuration` is null if code is made for the machine that
///   runs it; `exit_status` is null until it has been run; `detail` is `summary`, or `full` if there are all statistics
/// * `points(number, run)`
/// * `repeats(run, number, varied)`: of a sweep that repeats runs, those of a point whose plain run, number 0, is `run`; chance varies the
///   others
/// * `axis_values(point, axis, value)`
/// * `measurements(run, metric, value)`: metrics of finished runs, but expressions
///
/// and the view `results`: a row for each point with number, workload, the axes and metrics by name, exit_status, message, seconds, run and
/// the number of warnings. Of a sweep that repeats runs, metrics there are medians of those that chance varies, with a column
/// `<metric>_least` and one `<metric>_most`; the view `repeated_results` has a row for each run of each point. Numbers of points and ids of
/// runs are as in the plan. What fails while it is written throws sqlite_error: what was saved before is kept.
class result_store {
 public:
  enum class access {
    read,       ///< others may write it meanwhile
    immutable,  ///< nobody writes it: it may lie in a folder where nobody may write
    write,      ///< one process at a time
  };
  enum class journal {
    write_ahead,  ///< fast, and readers do not wait; all processes must be on one host
    rollback,     ///< for a file in a folder that several hosts share
  };

  /// Opens a file that exists. Throws usage_error if it is not one of tcsim's, is of another format, or is being written by another sweep
  /// (access::write).
  static result_store open(const std::filesystem::path& file, access how);
  /// Makes a file with a plan in it, and opens it for writing. Throws usage_error if it exists or cannot be written.
  static result_store create(const std::filesystem::path& file, const sweep_plan& plan, journal kind = journal::write_ahead);
  /// The same in place of results that exist. Throws usage_error if they are being written, or the file is not one of tcsim's.
  static result_store replace(const std::filesystem::path& file, const sweep_plan& plan);

  result_store(result_store&&) noexcept;
  result_store& operator=(result_store&&) noexcept;
  ~result_store();

  /// The runs that are done, and how many of them another plan asks for.
  struct done_runs {
    std::size_t all = 0, asked_for = 0;
  };
  done_runs done_of(const sweep_plan& plan) const;
  /// Takes another plan: keeps what has been run and is still asked for, forgets the rest, adds what is new, and measures anew.
  void replan(const sweep_plan& plan);

  /// The plan without its runs and points.
  sweep_plan outline() const;
  std::size_t run_count() const;
  std::size_t point_count() const;
  /// Ids of the runs that are missing or failed (exit status 2, 3, or killed), in order.
  std::vector<std::int64_t> unfinished_runs() const;
  /// Ids of all runs, in order.
  std::vector<std::int64_t> all_runs() const;
  planned_run run(std::int64_t id) const;
  /// How it ended, if it did.
  std::optional<finished_run> finished(std::int64_t id) const;

  /// Records how a run ended, with its measurements, in one transaction.
  void save(std::int64_t id, const finished_run& finished);
  /// Takes what has been run in another file, in one transaction: runs with equal keys that are done there and not here, or failed there
  /// and have not been run here. Returns how many. Doing it again, or with several files in another order, changes nothing.
  std::size_t merge(const result_store& other);

  /// For queries (results, reports).
  sqlite3* handle() const;

 private:
  class connection;
  bool is_planned(const sweep_plan& plan) const;
  explicit result_store(std::unique_ptr<connection> opened);

  std::unique_ptr<connection> connection_;
};

}  // namespace tcsim
