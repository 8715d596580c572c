// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include <tc/device/gpu.hpp>
#include <tc/device/sliced_simulation.hpp>
#include <tc/fabric/record.hpp>
#include <tc/observe/output_file.hpp>
#include <tc/observe/picture_recorder.hpp>
#include <tc/observe/record_filter.hpp>
#include <tc/observe/statistics_series.hpp>
#include <tc/observe/window.hpp>

#include "dump_option.hpp"
#include "exit_status.hpp"
#include "options.hpp"

namespace tcsim {

/// What a run leaves in files besides its report: statistics, recordings, dumps. Must outlive the machine.
///
/// What can be known to be wrong is refused before the machine runs. What fails then is told on stderr at the end, and stops nothing.
class run_recording final : private tc::device::run_pauses {
 public:
  /// `table`: a file that the command writes with --csv, or empty. Throws usage_error for options that are wrong or do not go together, for
  /// a file that cannot be written, for one that the command reads (input_files.hpp), and for one that two of them name.
  explicit run_recording(const recording_options& options, const std::string& table = {});
  ~run_recording() override;

  /// The options of a run, with what the recordings need.
  tc::device::run_options with_records(tc::device::run_options options) const;

  /// Runs the machine, as run_in_processes() does, and closes the recordings, in whatever way the run ends; what has failed is told. Before
  /// it runs throws usage_error for scopes and dumps that the machine does not have.
  tc::accounting::run_result run(tc::device::gpu& gpu, unsigned processes = 1);

  /// Another key of the statistics; before write_statistics().
  void add_to_statistics(const std::string& key, const boost::json::value& value) { added_[key] = value; }
  /// Writes the statistics of a run that has finished, or was interrupted, if they are asked for, while the machine exists.
  void write_statistics(const tc::accounting::run_result& result, const tc::config::machine& machine) const;

  /// What a run that did not finish has left, in words: "nothing was written", or which recordings and dumps were.
  std::string written_until_stop() const;
  /// That of the command, which is `otherwise` if no recording has failed, or if a signal ended the run.
  exit_status status(exit_status otherwise) const;

 private:
  /// Any writer of records.
  struct writer {
    std::string file;
    std::shared_ptr<tc::fabric::record_listener> listener;
    std::function<const tc::observe::output_file&()> finish;
  };

  std::optional<tc::fabric::cycle_t> next() const override;
  void look(tc::fabric::cycle_t cycle) override;

  bool has_records() const {
    return !options_.wave_file.empty() || !options_.timeline_file.empty() || !options_.konata_file.empty() || options_.pictures;
  }
  void check_options() const;
  void check_processes(unsigned processes) const;
  void check_files(const std::string& table) const;
  void attach(tc::device::gpu& gpu);
  void add_listeners(tc::device::gpu& gpu);
  void listen(tc::device::gpu& gpu, tc::fabric::record_listener& listener);
  template <class Writer, class... Arguments>
  void add_writer(tc::device::gpu& gpu, const std::string& file, Arguments&&... arguments);
  void close(const tc::accounting::run_result* result);
  void check_window(const tc::accounting::run_result& result);
  void take_last_dumps(const tc::accounting::run_result& result);
  void take(const dump_option& dump);
  void tell_failures() const;

  recording_options options_;
  tc::observe::record_window window_{};
  std::vector<dump_option> dumps_;                    // by cycle, those at the end last
  std::size_t taken_ = 0;                             // of them
  std::optional<tc::observe::record_filter> filter_;  // of --scope
  std::vector<writer> writers_;
  std::optional<tc::observe::statistics_series> series_;
  std::optional<tc::observe::picture_recorder> pictures_;
  boost::json::object added_;          // to the statistics
  tc::device::gpu* gpu_ = nullptr;     // while it runs
  double host_seconds_ = 0;            // that the run took
  std::vector<std::string> failures_;  // what went wrong since the run began
  std::vector<std::string> files_;     // that have been written
};

/// Of a run that a signal ended: prints the summary so far, writes the statistics, and gives the command's exit status.
exit_status finish_interrupted(const tc::accounting::run_result& result, const tc::config::machine& machine, const run_recording& recording,
                               bool with_units);

/// On stderr: why a run has no result, what it has left all the same, and who waits for whom. `max_cycles`: those of --max-cycles.
exit_status explain_stop(const tc::accounting::run_result& result, const run_recording& recording,
                         std::optional<std::uint64_t> max_cycles = {});

/// Throws usage_error if there is an option for what a run leaves, beside one that lets nothing run.
void refuse_recording(const recording_options& options, const char* instead);

}  // namespace tcsim
