// SPDX-License-Identifier: Apache-2.0
#include "run_recording.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/accounting/statistics_document.hpp>
#include <tc/config/json_text.hpp>
#include <tc/device/machine_state.hpp>
#include <tc/device/run_error.hpp>
#include <tc/numerics/instruction_set.hpp>
#include <tc/observe/konata_writer.hpp>
#include <tc/observe/timeline_writer.hpp>
#include <tc/observe/wave_writer.hpp>
#include <tc/version.hpp>

#include "atomic_file.hpp"
#include "input_files.hpp"
#include "run_report.hpp"
#include "run_watch.hpp"
#include "shared_run.hpp"
#include "simulation.hpp"
#include "standard_output.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

namespace accounting = tc::accounting;
namespace device = tc::device;
namespace fs = std::filesystem;
namespace observe = tc::observe;

/// A file, and what names it.
struct named_file {
  std::string what, path;
};

/// Whether writing to both would make one spoil the other.
bool is_same_file(const std::string& x, const std::string& y) {
  std::error_code ignored;
  const fs::file_status status = fs::status(x, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status)) return false;
  return fs::weakly_canonical(fs::absolute(x), ignored) == fs::weakly_canonical(fs::absolute(y), ignored);
}

void check_output(const named_file& output) {
  try {
    const observe::output_file probe(output.path);
  } catch (const std::runtime_error& error) {
    throw usage_error(fmt::format("{} {}", output.what, error.what()));
  }
}

observe::record_window parse_window(const std::string& text) {
  try {
    return text.empty() ? observe::record_window{} : observe::record_window::parse(text);
  } catch (const std::invalid_argument& error) {
    throw usage_error(fmt::format("--window {}: {}", text, error.what()));
  }
}

std::vector<dump_option> parse_dumps(const std::vector<std::string>& texts) {
  std::vector<dump_option> dumps;
  dumps.reserve(texts.size());
  for (const std::string& text : texts) dumps.push_back(dump_option::parse(text));
  const auto when = [](const dump_option& dump) { return dump.cycle.value_or(~tc::fabric::cycle_t{0}); };
  std::stable_sort(dumps.begin(), dumps.end(), [&](const auto& x, const auto& y) { return when(x) < when(y); });
  return dumps;
}

}  // namespace

run_recording::run_recording(const recording_options& options, const std::string& table)
    : options_(options), window_(parse_window(options.window)), dumps_(parse_dumps(options.dumps)) {
  check_options();
  check_files(table);
  if (options_.statistics_interval) series_.emplace(*options_.statistics_interval);
  if (options_.pictures) pictures_.emplace(options_.window.empty() ? observe::picture_recorder::default_window() : window_);
}

run_recording::~run_recording() = default;

void run_recording::check_options() const {
  if (options_.statistics_interval && options_.statistics_file.empty())
    throw usage_error("--stats-interval: in which file? Give --stats too, in which the series becomes the key `series`");
  if (options_.statistics_interval == std::uint64_t{0}) throw usage_error("--stats-interval 0: an interval has at least one cycle");
  if (options_.pictures && options_.statistics_file.empty())
    throw usage_error("--pictures: in which file? Give --stats too, in which they become the key `pictures`");
  if (!options_.wave_scopes.empty() && options_.wave_file.empty())
    throw usage_error("--vcd-scope: of which waves? Give --vcd too, the file that they go to");
  if (!options_.scopes.empty() && !has_records())
    throw usage_error(
        "--scope: of which recording? Give --vcd, --timeline or --konata too, the file that it goes to, or --stats with --pictures");
  if (!options_.window.empty() && !has_records())
    throw usage_error(
        "--window: of which recording? Give --vcd, --timeline or --konata too, the file that it goes to, or --stats with --pictures");
}

/// What a recording tells of all SMs in the order of time, no process knows; only the statistics of the end can be added up.
void run_recording::check_processes(unsigned processes) const {
  const auto refuse = [processes](bool is_given, const char* option) {
    if (is_given) throw usage_error(fmt::format("{}: is of all SMs, which --jobs {} parts; leave one of the two out", option, processes));
  };
  refuse(!options_.wave_file.empty(), "--vcd");
  refuse(!options_.timeline_file.empty(), "--timeline");
  refuse(!options_.konata_file.empty(), "--konata");
  refuse(options_.pictures, "--pictures");
  refuse(options_.statistics_interval.has_value(), "--stats-interval");
  refuse(!dumps_.empty(), "--dump");
}

void run_recording::check_files(const std::string& table) const {
  std::vector<named_file> outputs;
  const auto add = [&](const std::string& what, const std::string& path) {
    if (!path.empty()) outputs.push_back({what, path});
  };
  add("--csv", table);
  add("--stats", options_.statistics_file);
  add("--vcd", options_.wave_file);
  add("--timeline", options_.timeline_file);
  add("--konata", options_.konata_file);
  for (const dump_option& dump : dumps_) add("--dump", dump.file);

  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!is_standard_output(outputs[i].path) && replaces_input(outputs[i].path))
      throw usage_error(fmt::format("{} {}: the run reads this file; choose another name", outputs[i].what, outputs[i].path));
    for (std::size_t j = 0; j < i; ++j)
      if (is_same_file(outputs[i].path, outputs[j].path))
        throw usage_error(
            fmt::format("{} {}: {} writes this file; choose another name", outputs[i].what, outputs[i].path, outputs[j].what));
    if (is_standard_output(outputs[i].path)) reserve_standard_output();
    if (outputs[i].what == "--stats" || outputs[i].what == "--csv")
      check_writable(outputs[i].path);
    else
      check_output(outputs[i]);
  }
}

device::run_options run_recording::with_records(device::run_options options) const {
  options.record = has_records();
  return options;
}

void run_recording::listen(device::gpu& gpu, tc::fabric::record_listener& listener) {
  if (filter_)
    filter_->add(listener);
  else
    gpu.recorder()->records.bind(listener);
}

template <class Writer, class... Arguments>
void run_recording::add_writer(device::gpu& gpu, const std::string& file, Arguments&&... arguments) {
  const auto made = std::make_shared<Writer>(file, std::forward<Arguments>(arguments)...);
  listen(gpu, *made);
  writers_.push_back({file, made, [made]() -> const observe::output_file& {
                        made->finish();
                        return made->file();
                      }});
}

void run_recording::attach(device::gpu& gpu) {
  for (const dump_option& dump : dumps_) {
    try {
      device::check_state_range(gpu, dump.range);
    } catch (const device::run_error& error) {
      throw usage_error(fmt::format("--dump {}", error.what()));
    }
  }
  if (has_records()) add_listeners(gpu);
}

void run_recording::add_listeners(device::gpu& gpu) {
  try {
    if (!options_.scopes.empty()) gpu.recorder()->records.bind(filter_.emplace(*gpu.recorder(), options_.scopes));
  } catch (const std::invalid_argument& error) {
    throw usage_error(fmt::format("--scope: {}", error.what()));
  }
  try {
    const observe::wave_options waves{options_.wave_scopes.empty() ? options_.scopes : options_.wave_scopes, window_, TC_VERSION_STRING};
    if (!options_.wave_file.empty()) add_writer<observe::wave_writer>(gpu, options_.wave_file, *gpu.recorder(), gpu.clock(), waves);
  } catch (const std::invalid_argument& error) {
    throw usage_error(fmt::format("--vcd-scope: {}", error.what()));
  }
  if (!options_.timeline_file.empty()) add_writer<observe::timeline_writer>(gpu, options_.timeline_file, gpu.clock(), window_);
  if (!options_.konata_file.empty()) add_writer<observe::konata_writer>(gpu, options_.konata_file, gpu.clock(), window_);
  if (pictures_) listen(gpu, *pictures_);
  if (!options_.window.empty() && window_.counted == observe::record_window::unit::cycles) gpu.recorder()->stop_at(window_.last);
}

accounting::run_result run_recording::run(device::gpu& gpu, unsigned processes) {
  if (processes > 1) check_processes(processes);
  attach(gpu);
  gpu_ = &gpu;
  accounting::run_result result;
  const auto begin = std::chrono::steady_clock::now();
  try {
    run_watch watch(gpu, processes, series_ || !dumps_.empty() ? this : nullptr);
    result = run_in_processes(gpu, processes, &watch);
  } catch (...) {
    close(nullptr);
    tell_failures();
    if (!files_.empty()) std::cerr << fmt::format("tcsim: the run failed: {}\n", written_until_stop());
    throw;
  }
  host_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  take_last_dumps(result);
  close(&result);
  tell_failures();
  if (series_ && has_summary(result)) series_->finish(result.cycles);
  return result;
}

std::optional<tc::fabric::cycle_t> run_recording::next() const {
  std::optional<tc::fabric::cycle_t> next;
  if (series_) next = series_->next();
  if (taken_ == dumps_.size() || !dumps_[taken_].cycle) return next;
  return next ? std::min(*next, *dumps_[taken_].cycle) : dumps_[taken_].cycle;
}

void run_recording::look(tc::fabric::cycle_t cycle) {
  if (series_ && series_->next() == cycle) series_->sample();
  while (taken_ < dumps_.size() && dumps_[taken_].cycle == cycle) take(dumps_[taken_++]);
}

void run_recording::take_last_dumps(const accounting::run_result& result) {
  for (; taken_ < dumps_.size(); ++taken_) {
    const dump_option& dump = dumps_[taken_];
    if (dump.cycle.value_or(0) <= result.cycles)
      take(dump);
    else
      failures_.push_back(fmt::format("--dump {}: the run ended at cycle {}", dump.text, result.cycles));
  }
}

void run_recording::take(const dump_option& dump) {
  try {
    observe::output_file file(dump.file);
    device::read_state(*gpu_, dump.range, [&](const std::uint8_t* bytes, std::size_t count) {
      file.write({reinterpret_cast<const char*>(bytes), count});
    });
    if (file.close())
      files_.push_back(dump.file);
    else
      failures_.push_back(fmt::format("--dump {}: {}", dump.text, file.error()));
  } catch (const std::runtime_error& error) {
    const std::string when = dump.cycle ? fmt::format("before cycle {}", *dump.cycle) : "at the end of the run";
    failures_.push_back(fmt::format("--dump {}, {}", error.what(), when));
  }
}

/// `result` is null if the run has none.
void run_recording::close(const accounting::run_result* result) {
  for (const writer& each : writers_) {
    const observe::output_file& file = each.finish();
    if (file.failed())
      failures_.push_back(file.error());
    else
      files_.push_back(each.file);
  }
  if (result != nullptr) check_window(*result);
}

/// A window behind the end of the run.
void run_recording::check_window(const accounting::run_result& result) {
  const bool of_cycles = window_.counted == observe::record_window::unit::cycles;
  const std::uint64_t end = of_cycles ? result.cycles : result.instructions;
  if (window_.first < end || options_.window.empty()) return;
  failures_.push_back(
      fmt::format("--window {}: nothing was recorded: the run had {}", options_.window, counted(end, of_cycles ? "cycle" : "instruction")));
}

void run_recording::tell_failures() const {
  for (const std::string& failure : failures_) std::cerr << "tcsim: " << failure << '\n';
}

void run_recording::write_statistics(const accounting::run_result& result, const tc::config::machine& machine) const {
  if (options_.statistics_file.empty()) return;
  boost::json::object document = accounting::statistics_document(
      result, machine, {TC_VERSION_STRING, host_seconds_, std::string(tc::numerics::name(tc::numerics::chosen_instruction_set()))});
  if (pictures_) document["pictures"] = pictures_->json(result.cycles);
  if (series_) {
    document["series"] = series_->json();
    if (series_->interval() != *options_.statistics_interval)
      std::cerr << fmt::format("tcsim: --stats-interval {}: these would be too many; the series has intervals of {} cycles\n",
                               *options_.statistics_interval, series_->interval());
  }
  for (const auto& more : added_) document[more.key()] = more.value();
  write_atomically(options_.statistics_file, tc::config::pretty_text(document));
}

std::string run_recording::written_until_stop() const {
  if (files_.empty()) return "nothing was written";
  return fmt::format("no statistics were written, but what was recorded until then: {}", fmt::join(files_, ", "));
}

exit_status run_recording::status(exit_status otherwise) const {
  return failures_.empty() || otherwise > exit_status::of_signals ? otherwise : exit_status::bad_input;
}

exit_status finish_interrupted(const accounting::run_result& result, const tc::config::machine& machine, const run_recording& recording,
                               bool with_units) {
  std::cerr << fmt::format("tcsim: {} at cycle {}: this is the run until then, of warps those that had ended\n", interruption_text(),
                           result.cycles);
  const accounting::run_summary summary = accounting::summarize(result, machine);
  std::cout << report_of(result, summary, machine);
  if (with_units || summary.warp_cycles.empty()) std::cout << unit_report_of(summary);
  recording.write_statistics(result, machine);
  return recording.status(status_of_interruption());
}

exit_status explain_stop(const accounting::run_result& result, const run_recording& recording, std::optional<std::uint64_t> max_cycles) {
  const std::string why = result.status == accounting::run_status::cycle_limit
                              ? cycle_limit_text("--max-cycles", max_cycles.value_or(result.cycles), result.cycles)
                              : fmt::format("the model is stuck at cycle {}", result.cycles);
  std::cerr << fmt::format("tcsim: {}: {}\n", why, recording.written_until_stop());
  for (const auto& line : result.waiting) std::cerr << "  " << line << '\n';
  return exit_status::model_stopped;
}

void refuse_recording(const recording_options& options, const char* instead) {
  if (options.any())
    throw usage_error(
        fmt::format("{}: nothing runs with it, and nothing can be recorded: leave it out, or the options for recordings", instead));
}

}  // namespace tcsim
