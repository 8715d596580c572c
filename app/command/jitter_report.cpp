// SPDX-License-Identifier: Apache-2.0
#include "jitter_report.hpp"

#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "interruption.hpp"
#include "rank_test.hpp"
#include "run_report.hpp"
#include "text_table.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

constexpr unsigned most_runs = 10000;

/// No digits that a few runs cannot tell.
std::string percent_text(double share) { return fmt::format(share < 0.1 ? "{:.2g} %" : "{:.0f} %", 100 * share); }

/// "load-store units in 4 of 7 runs, tensor cores in 3".
std::string limits_text(const varied_runs& runs) {
  std::vector<std::string> parts;
  for (const auto& [limit, count] : runs.limits())
    parts.push_back(fmt::format(
        "{} in {}", limit, parts.empty() ? fmt::format("{} of {}", count, counted(runs.ended().size(), "run")) : fmt::format("{}", count)));
  return parts.empty() ? "" : fmt::format("  What limits most: {}.\n", fmt::join(parts, ", "));
}

/// For people: the median of each kernel's cycles, and how far the runs lie apart.
std::string jitter_report_of(const varied_runs& runs) {
  using align = text_table::align;
  if (runs.ended().empty()) return "";
  text_table table({align::left, align::right, align::right, align::right, align::right, align::right, align::right});
  table.add({"KERNEL", "MEDIAN", "LEAST", "LOWER QUARTILE", "UPPER QUARTILE", "MOST", "SPREAD"});
  for (std::size_t k = 0; k < runs.kernels().size(); ++k) {
    const spread all = runs.cycles_of(k);
    table.add({runs.kernels()[k], fmt::format("{}", all.median), fmt::format("{}", all.least), fmt::format("{}", all.lower_quartile),
               fmt::format("{}", all.upper_quartile), fmt::format("{}", all.most), percent_text(all.relative())});
  }
  const std::uint64_t first = runs.ended().front().seed, last = runs.ended().back().seed;
  return fmt::format("\nCycles of {} varied by chance (--jitter, seeds {}):\n", counted(runs.ended().size(), "run"),
                     first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last)) +
         table.text(2) + limits_text(runs);
}

/// Tells which of the runs but the plain one have wrong results.
void tell_wrong(const varied_runs& runs) {
  for (const varied_run& run : runs.wrong())
    if (run.seed != runs.plain_seed())
      std::cerr << fmt::format("tcsim: with jitter.seed={}, {} not as expected; --set jitter.seed={} does this run alone\n", run.seed,
                               run.wrong_bytes == 1 ? "1 byte is" : fmt::format("{} bytes are", run.wrong_bytes), run.seed);
}

/// Tells which runs have no cycles, and what that makes of the figures of the others.
void tell_stopped(const varied_runs& runs) {
  for (const varied_run& run : runs.stopped()) std::cerr << fmt::format("tcsim: with jitter.seed={}: {}\n", run.seed, run.why_stopped);
  if (runs.stopped().empty()) return;
  std::cerr << fmt::format(
      "tcsim: {} of {} varied by chance did not end: {}\n", runs.stopped().size(), counted(runs.asked(), "run"),
      runs.ended().empty() ? "there are no figures of them" : "what is printed and written is of the others, which may be the faster ones");
}

/// Prints it, and puts it into the statistics.
void tell_runs(const tc::accounting::run_result& plain, run_recording& recording, varied_runs& runs) {
  std::vector<std::string> names;
  for (const auto& kernel : plain.kernels) names.push_back(kernel.kernel);
  runs.name_kernels(std::move(names));
  if (!runs.any()) return;
  std::cout << jitter_report_of(runs);
  recording.add_to_statistics("jitter", runs.json());
  tell_stopped(runs);
  if (interruption() != 0)
    std::cerr << fmt::format("tcsim: {}: {} of {} varied by chance had ended\n", interruption_text(), runs.ended().size(),
                             counted(runs.asked(), "run"));
  tell_wrong(runs);
}

}  // namespace

void add_jitter_option(const cli_command& command, unsigned& runs) {
  command
      .add_option("--jitter", runs,
                  "Besides, run it N times with starts and latencies of memory varied by a cycle and ties shuffled, as jitter of the "
                  "configuration says, with seeds from 1. Prints the median and how far these runs lie apart; --jobs of them run at a time")
      .type_name("N")
      .between(1U, most_runs);
}

exit_status finish_runs(const tc::accounting::run_result& plain, const tc::config::machine& machine, run_recording& recording,
                        varied_runs& runs, bool strict) {
  runs.add_plain(varied_run_of(plain, machine));
  tell_runs(plain, recording, runs);
  recording.write_statistics(plain, machine);
  if (runs.any() && interruption() != 0) return recording.status(status_of_interruption());
  const exit_status status = verdict_on(plain, strict);
  if (!runs.stopped().empty()) return recording.status(exit_status::model_stopped);
  return recording.status(status == exit_status::done && !runs.wrong().empty() ? exit_status::check_failed : status);
}

exit_status finish_cut_runs(const tc::accounting::run_result& plain, const tc::config::machine& machine, run_recording& recording,
                            varied_runs& runs, const verdict_options& verdict, std::optional<std::uint64_t> max_cycles) {
  runs.add_plain(varied_run_of(plain, machine));
  tell_runs(plain, recording, runs);
  if (plain.status == tc::accounting::run_status::interrupted) return finish_interrupted(plain, machine, recording, verdict.units);
  return explain_stop(plain, recording, max_cycles);
}

void refuse_jitter(unsigned runs, const char* instead) {
  if (runs > 0)
    throw usage_error(fmt::format("{}: nothing runs with it, and so nothing can be repeated: leave it out, or --jitter", instead));
}

}  // namespace tcsim
