// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include <tc/config/json_text.hpp>
#include <tc/version.hpp>

#include "atomic_file.hpp"
#include "commands.hpp"
#include "diff_report.hpp"
#include "input_files.hpp"
#include "statistics_file.hpp"

namespace tcsim {

namespace {

struct diff_options {
  std::filesystem::path a, b, json_file;
  std::size_t rows = 12;
  bool all = false, each_unit = false, exit_code = false;
};

void check_output(const diff_options& options) {
  if (options.json_file.empty()) return;
  note_input(options.a);
  note_input(options.b);
  check_writable(options.json_file);
}

exit_status compare(const diff_options& options) {
  check_output(options);
  const boost::json::object a = read_statistics(options.a), b = read_statistics(options.b);
  const run_difference difference = differences_of_runs(a, b, options.each_unit ? counters_of::units : counters_of::kinds);
  if (!options.json_file.empty()) {
    boost::json::object document{{"tcsim", TC_VERSION_STRING}, {"a", options.a.string()}, {"b", options.b.string()}};
    for (auto& member : json_of(difference)) document[member.key()] = member.value();
    write_atomically(options.json_file, tc::config::pretty_text(document));
  }
  if (difference.equal) {
    std::cout << "Equal: the statistics of both runs are the same.\n";
    return exit_status::done;
  }
  std::cout << fmt::format("A: {}\nB: {}\n\n", options.a.string(), options.b.string());
  std::cout << text_of(difference, options.all ? std::numeric_limits<std::size_t>::max() : options.rows);
  return options.exit_code && difference.is_beyond_chance() ? exit_status::check_failed : exit_status::done;
}

}  // namespace

void add_diff_command(const cli_command& app, exit_status& status) {
  const auto diff = app.add_subcommand("diff", "Show what changed between two runs, the most important first");
  const auto options = std::make_shared<diff_options>();
  diff.add_option("A", options->a, "Statistics of a run: what `tcsim run --stats` wrote").required().type_name("");
  diff.add_option("B", options->b, "Statistics of another run").required().type_name("");
  diff.add_option("--top", options->rows, "Rows of each table; 0: only what comes first").capture_default_str().type_name("N");
  diff.add_flag("--all", options->all, "All rows");
  diff.add_flag("--each-unit", options->each_unit, "Counters of each unit; without, equal units of all SMs and sub-cores are added up");
  diff.add_option("--json", options->json_file, "Write all differences as JSON").type_name("FILE");
  diff.add_flag("--exit-code", options->exit_code,
                "Exit status 1 if they differ, of runs with --jitter by more than chance makes; without, it is 0 then too");
  diff.footer(fmt::format(
      "First come cycles, time, results and warnings, then what was run and the parameters that differ. Where both runs have --jitter, "
      "it begins with their medians, and whether the difference is real: a rank test finds it in less than 5 % of pairs of equal "
      "machines. Kernels are paired by name. Below stands where the "
      "cycles went: causes of stalls, those whose cycles changed most at the top, with shares of all cycles and their change in "
      "points of percent. {}\n"
      "The time that the runs took the host, `series` and `pictures` are not compared.\n"
      "Exit status: 0 compared; 1 they differ, with --exit-code; 2 bad input or usage, nothing written.\n\n"
      "Example: tcsim diff before.json after.json --top 5",
      counter_rule()));
  diff.callback([options, &status] { status = compare(*options); });
}

}  // namespace tcsim
