// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <sys/types.h>
#include <vector>

#include <tc/device/gpu.hpp>
#include <tc/device/sliced_simulation.hpp>

#include "progress_bar.hpp"

namespace tcsim {

/// Watches a run for the person who waits for it: shows how far it has come, as a share of the instructions of all traces, and ends it when
/// a signal asks for that. It looks a few times a second, in whichever cycles these are; others may look too.
class run_watch final : public tc::device::run_pauses {
 public:
  /// Of a run that several processes share. This one shows the progress of all. `others` may be null. Both must outlive it.
  run_watch(const tc::device::gpu& gpu, unsigned processes, tc::device::run_pauses* others);

  std::optional<tc::fabric::cycle_t> next() const override;
  void look(tc::fabric::cycle_t cycle) override;
  bool stops() const override { return interruption() != 0; }

 private:
  using clock = std::chrono::steady_clock;

  void choose_next(tc::fabric::cycle_t cycle);

  tc::device::run_pauses* others_;
  progress_bar progress_;
  pid_t shown_by_;
  tc::fabric::cycle_t interval_, next_;
  clock::time_point last_ = clock::now();
};

}  // namespace tcsim
