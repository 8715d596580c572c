// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "result_store.hpp"

namespace tcsim {

/// Does one run, in a process of its own. Must not throw.
using planned_work = std::function<finished_run(const planned_run&)>;

/// How far a sweep has come.
struct engine_state {
  std::size_t total = 0, done = 0, running = 0;
};

struct engine_options {
  unsigned jobs = 1;                                                            ///< processes at a time
  std::function<void(const engine_state&)> report{[](const engine_state&) {}};  ///< called several times a second
};

/// How a sweep ended.
struct engine_outcome {
  std::size_t done = 0;
  int signal = 0;  ///< what stopped it; 0: nothing did
};

/// Does these runs of `store`, each in a process of its own, and saves each as it ends. SIGINT, SIGTERM and SIGHUP stop it: it then kills
/// what is running, which counts as not run. Nothing outlives a process that is killed. Throws sqlite_error if results cannot be saved.
engine_outcome run_all(result_store& store, const std::vector<std::int64_t>& runs, const planned_work& work, const engine_options& options);

}  // namespace tcsim
