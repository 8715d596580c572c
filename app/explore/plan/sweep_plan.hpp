// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

namespace tcsim {

/// Which of two values of a metric is the better one.
enum class metric_preference {
  unsaid,  ///< less, unless the metric has negative values: then what is nearest to 0
  less,
  more,
  nearest_zero,  ///< of a signed deviation
};

/// A number that a sweep asks of each of its points.
struct metric {
  enum class origin {
    statistic,   ///< `source` is a path into the summary of statistics (statistics_summary.hpp), such as `stalls.wait_mask`
    expression,  ///< `source` is an SQL expression of axes and other metrics
  };

  std::string name;  ///< an identifier: it is a column of the results
  origin from = origin::statistic;
  std::string source;
  std::string unit{};         ///< empty: none, or not known
  std::string description{};  ///< one sentence
  metric_preference better = metric_preference::unsaid;
};

/// As a sweep file, results and reports spell it: `less`, `more`, `nearest_zero`; empty: unsaid.
std::string_view name_of(metric_preference preference);
/// The preference of a name; nothing for any other text.
std::optional<metric_preference> find_preference(std::string_view name);

/// The columns that repeated runs add to that of a metric: the least and the largest value of a point's runs.
inline std::string least_column(const std::string& metric) { return metric + "_least"; }
inline std::string most_column(const std::string& metric) { return metric + "_most"; }

/// What results keep of the statistics of each run.
enum class statistics_detail {
  summary,  ///< see statistics_summary.hpp
  full,     ///< all that `tcsim run --stats` writes, but `host`
};

/// A workload on a machine, which has to be run once however many points ask for it.
struct planned_run {
  std::string key;         ///< a UUID of what is run: equal for equal effective configuration, workload, content of its files, and detail
  std::string workload;    ///< the name that the sweep file gives it
  std::string kind;        ///< of workload
  std::string parameters;  ///< of the workload, all of them, as JSON in one line
  std::string configuration;  ///< effective configuration, all of it, as JSON in one line
  statistics_detail statistics = statistics_detail::summary;
  std::string code_configuration{};  ///< that code is made for, like `configuration`; empty: for the machine that runs it
};

/// A parameter that the sweep varies.
struct sweep_axis {
  std::string name;       ///< an identifier: it is a column of the results
  std::string path;       ///< of a parameter of the machine; `workload.<parameter>`; empty: the base configuration
  std::string unit{};     ///< from the parameter's description; empty: none
  std::string meaning{};  ///< from the parameter's description
};

/// One combination of values of the axes with one workload.
struct sweep_point {
  std::size_t number = 0;  ///< from 0: the workloads in their order, then the first axis slowest
  /// Of the axes, in their order: numbers, strings or booleans; null: the workload has no such parameter.
  std::vector<boost::json::value> values;
  std::size_t run = 0;  ///< index of what has to be run for it
};

/// All that a sweep file amounts to, known and checked before anything runs.
struct sweep_plan {
  std::string name;
  std::string description;
  std::string source;              ///< text of the sweep file
  std::string base;                ///< name of the base configuration; the first one, if an axis varies it
  std::string base_configuration;  ///< effective, with what the sweep file sets for all points, as JSON in one line
  std::vector<sweep_axis> axes;
  std::vector<metric> metrics;      ///< an expression uses only metrics that stand before it
  std::vector<std::string> pareto;  ///< names of the two metrics or axes whose front a report shows first; empty: none given
  statistics_detail statistics = statistics_detail::summary;
  bool fixed_code = false;  ///< code made for the base configuration runs on all machines
  unsigned repeat = 1;      ///< runs of each point that chance varies, besides the plain one; 1: only that
  /// The rule for hazards of all points, `silicon` or `interlock`, by which their configurations are; `mixed` where the sweep file asks for
  /// both; empty: no point has any.
  std::string hazards{};
  std::vector<planned_run> runs;
  std::vector<std::vector<std::size_t>> repeats;  ///< by plain run: indices of those that chance varies, by seed; empty: none
  std::vector<sweep_point> points;
  std::size_t counted_runs = 0;  ///< that chance varies, and that are not among `runs`, because they were only to be counted
};

/// Whether the runs that chance varies are planned, or only counted, which takes no time.
enum class repeat_plan { all, counted };

/// Reads a sweep file and plans all of it. Throws config_error, with the place in the file, for anything that is wrong: after that, only
/// what happens in the model can fail. The workloads and machines of all points have been made and checked, and each different run is
/// there once. Nothing of SystemC is touched. `fixed_code` stands for that key of the file.
sweep_plan read_sweep(const std::filesystem::path& file, bool fixed_code = false, repeat_plan repeats = repeat_plan::all);

/// What a sweep is going to do, for people: numbers of points and runs, the axes with their values, the metrics.
std::string sweep_plan_text(const sweep_plan& plan);

}  // namespace tcsim
