// SPDX-License-Identifier: Apache-2.0
#include "jitter_report.hpp"

#include <iostream>
#include <string>

#include <fmt/format.h>

#include "run_report.hpp"
#include "text_table.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

constexpr unsigned most_runs = 10000;

/// For people: the median of each kernel's cycles, and how far the runs lie apart.
std::string jitter_report_of(const varied_runs& runs) {
  using align = text_table::align;
  text_table table({align::left, align::right, align::right, align::right, align::right, align::right, align::right});
  table.add({"KERNEL", "MEDIAN", "LEAST", "LOWER QUARTILE", "UPPER QUARTILE", "MOST", "SPREAD"});
  for (std::size_t k = 0; k < runs.kernels().size(); ++k) {
    const spread all = runs.cycles_of(k);
    table.add({runs.kernels()[k], fmt::format("{}", all.median), fmt::format("{}", all.least), fmt::format("{}", all.lower_quartile),
               fmt::format("{}", all.upper_quartile), fmt::format("{}", all.most), fmt::format("{:.2f} %", 100 * all.relative())});
  }
  return fmt::format("\nCycles of {} that only chance sets apart (--jitter):\n", counted(runs.runs().size(), "run")) + table.text(2);
}

/// Tells which of the runs but the first have wrong results.
void tell_wrong(const varied_runs& runs) {
  for (const varied_run& run : runs.wrong())
    if (run.seed != runs.runs().front().seed)
      std::cerr << fmt::format("tcsim: with jitter.seed={}, {} not as expected; --set jitter.seed={} does this run alone\n", run.seed,
                               run.wrong_bytes == 1 ? "1 byte is" : fmt::format("{} bytes are", run.wrong_bytes), run.seed);
}

}  // namespace

void add_jitter_option(const cli_command& command, unsigned& runs) {
  command
      .add_option("--jitter", runs,
                  "Run N times: once as it is, then with starts and latencies of memory varied by a cycle and ties shuffled, as jitter of "
                  "the configuration says. Prints the median and how far the runs lie apart; --jobs of them run at a time")
      .type_name("N")
      .between(1U, most_runs)
      .capture_default_str();
}

exit_status finish_runs(const tc::accounting::run_result& first, const tc::config::machine& machine, run_recording& recording,
                        varied_runs& runs, bool strict) {
  runs.add_first(first);
  if (runs.has_several()) {
    std::cout << jitter_report_of(runs);
    recording.add_to_statistics("jitter", runs.json());
  }
  recording.write_statistics(first, machine);
  tell_wrong(runs);
  const exit_status status = verdict_on(first, strict);
  return recording.status(status == exit_status::done && !runs.wrong().empty() ? exit_status::check_failed : status);
}

void refuse_jitter(unsigned runs, const char* instead) {
  if (runs > 1)
    throw usage_error(fmt::format("{}: nothing runs with it, and so nothing can be repeated: leave it out, or --jitter", instead));
}

}  // namespace tcsim
