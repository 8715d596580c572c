// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include <tc/accounting/run_result.hpp>
#include <tc/config/machine.hpp>

#include "interruption.hpp"
#include "spread.hpp"

namespace tcsim {

/// What a run gave that only chance sets apart from others.
struct varied_run {
  std::uint64_t seed = 0;               ///< jitter.seed
  std::vector<std::uint64_t> cycles{};  ///< of each kernel; empty: it did not end
  std::uint64_t wrong_bytes = 0;
  std::string limit{};        ///< what limits it most, for people; empty: nothing does
  std::string why_stopped{};  ///< of a run that did not end

  bool has_ended() const { return why_stopped.empty(); }
};

/// Of a machine that has run. To be called while it exists.
varied_run varied_run_of(const tc::accounting::run_result& result, const tc::config::machine& machine);

/// The seed of the first of several runs that chance sets apart: that of the machine, or 1 where chance has no part in it.
constexpr std::uint64_t first_varied_seed(std::uint64_t of_machine) { return of_machine == 0 ? 1 : of_machine; }

/// Why a machine cannot be run so often with seeds that follow each other, for people; empty: it can.
std::string why_not_varied(const tc::config::machine& machine, std::uint64_t runs);

/// Runs of the same kernels on the same machine that differ in jitter.seed alone. The run of the machine as it is, the plain one, is none
/// of them if chance has no part in it: it is no draw from what they are drawn from.
class varied_runs {
 public:
  /// Makes a machine and runs it to its end. Called once in a process.
  using run_machine = std::function<varied_run(const tc::config::machine&)>;

  /// Does `runs` runs with the seeds from first_varied_seed(), in a process each, `at_a_time` at a time, but that of the plain run, which
  /// is to come. To be called before this process makes a machine. Throws usage_error for what why_not_varied() says, and not for what
  /// happens in the runs. While it lives, a signal ends the runs that are going on, and is left to the plain run to tell.
  varied_runs(const tc::config::machine& machine, unsigned runs, unsigned at_a_time, const run_machine& run);

  /// The plain run has ended, or was ended. Throws what one of the others has, a usage_error or a std::runtime_error.
  void add_plain(varied_run run);

  /// The seed of the machine as it is.
  std::uint64_t plain_seed() const { return plain_seed_; }
  /// Whether any were asked for.
  bool any() const { return asked_ > 0; }
  unsigned asked() const { return asked_; }
  /// Those that ended, by seed.
  const std::vector<varied_run>& ended() const { return ended_; }
  /// Those that did not, by themselves.
  const std::vector<varied_run>& stopped() const { return stopped_; }
  /// Names of the kernels.
  void name_kernels(std::vector<std::string> names) { kernels_ = std::move(names); }
  const std::vector<std::string>& kernels() const { return kernels_; }
  /// Cycles of a kernel over all runs that ended, of which there is one at least.
  spread cycles_of(std::size_t kernel) const;
  /// What limited the runs that ended, and how many of them, the most frequent first.
  std::vector<std::pair<std::string, unsigned>> limits() const;
  /// The runs whose results are not as expected.
  std::vector<varied_run> wrong() const;

  /// {"runs": 9, "seeds": [...], "kernels": [{"kernel": ..., "cycles": [...], "median": ...}], "limits": [...]}
  boost::json::object json() const;

 private:
  void run_some(const tc::config::machine& machine, std::uint64_t first, std::uint64_t end, const run_machine& run);
  void add(varied_run run);

  unsigned asked_ = 0;
  std::uint64_t plain_seed_ = 0;
  std::vector<varied_run> ended_, stopped_;
  std::vector<std::string> kernels_;
  std::exception_ptr failure_;
  std::optional<interruption_watch> watch_;
};

}  // namespace tcsim
