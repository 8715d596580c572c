// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include <tc/config/machine.hpp>
#include <tc/execution/launched_grid.hpp>
#include <tc/execution/memory_comparison.hpp>
#include <tc/launches/launch.hpp>
#include <tc/listings/sass_listing.hpp>
#include <tc/trace/trace.hpp>

namespace tc::execution {

/// A launch that a machine runs while it is executed: a trace of which each step is made when it issues. Memory acts in the execution in
/// the order in which that of the machine does.
class timed_launch {
 public:
  /// `with_values`: the machine computes everything too, from the memory before the launch, and compares with what was recorded behind it;
  /// else the execution alone has values. The arithmetic of tensor cores is that of `machine`. Throws what launched_grid does, and
  /// trace::trace_error for code that no trace can have.
  timed_launch(launches::launch launch, listings::sass_kernel kernel, const config::machine& machine, bool with_values);
  ~timed_launch();

  const trace::trace& trace() const { return *trace_; }
  const launches::launch& launch() const;
  /// The memory of the execution behind the last run, compared with what was recorded. Nothing if no run began.
  std::optional<memory_comparison> compare_last_run() const;
  /// What the last run has executed; null if none began.
  const launched_grid* last_run() const;

 private:
  class steps;
  class run;
  struct contents;

  std::shared_ptr<contents> contents_;
  std::optional<trace::trace> trace_;
};

}  // namespace tc::execution
