// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include <tc/accounting/run_result.hpp>
#include <tc/config/machine.hpp>

#include "spread.hpp"

namespace tcsim {

/// What a run gave that only chance sets apart from others.
struct varied_run {
  std::uint64_t seed = 0;             ///< jitter.seed
  std::vector<std::uint64_t> cycles;  ///< of each kernel
  std::uint64_t wrong_bytes = 0;
};

/// Runs of the same kernels on the same machine that differ in jitter.seed alone.
class varied_runs {
 public:
  /// Makes a machine and runs it to its end. Called once in a process.
  using run_machine = std::function<tc::accounting::run_result(const tc::config::machine&)>;

  /// One run only, the one that is to come: there is nothing to compare.
  varied_runs() = default;
  /// Does all of `runs` but the first, which comes later, in a process each, `at_a_time` at a time. To be called before this process makes
  /// a machine. Does not throw for what happens in the runs.
  varied_runs(const tc::config::machine& machine, unsigned runs, unsigned at_a_time, const run_machine& run);

  /// The first run, that of the machine as it is, has finished. Throws what one of the others has, a usage_error or a std::runtime_error.
  void add_first(const tc::accounting::run_result& result);

  bool has_several() const { return runs_.size() > 1; }
  const std::vector<varied_run>& runs() const { return runs_; }
  /// Their names.
  const std::vector<std::string>& kernels() const { return kernels_; }
  /// Cycles of a kernel over all runs.
  spread cycles_of(std::size_t kernel) const;
  /// The runs whose results are not as expected.
  std::vector<varied_run> wrong() const;

  /// {"runs": 9, "seeds": [...], "kernels": [{"kernel": ..., "cycles": [...], "median": ...}]}
  boost::json::object json() const;

 private:
  void run_some(const tc::config::machine& machine, std::uint64_t first, std::uint64_t end, const run_machine& run);

  std::vector<varied_run> runs_;  ///< the first one in front once it is there
  std::vector<std::string> kernels_;
  std::exception_ptr failure_;
};

}  // namespace tcsim
