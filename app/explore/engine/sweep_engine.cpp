// SPDX-License-Identifier: Apache-2.0
#include "sweep_engine.hpp"

#include <chrono>
#include <list>
#include <system_error>

#include "run_process.hpp"
#include "signal_watch.hpp"

namespace tcsim {

namespace {

constexpr std::chrono::milliseconds between_reports{200};

struct running_process {
  running_process(std::int64_t run, const run_work& work) : id(run), process(work) {}

  std::int64_t id;
  run_process process;
};

/// Runs some of the runs of a sweep, a few at a time.
class engine {
 public:
  engine(result_store& store, const std::vector<std::int64_t>& runs, const planned_work& work, const engine_options& options)
      : store_(store), runs_(runs), work_(work), options_(options) {}

  engine_outcome run() {
    signal_watch watch;
    int stop = 0;
    while (done_ < runs_.size() && stop == 0) {
      while (running_.size() < options_.jobs && next_ < runs_.size() && start()) continue;
      options_.report({runs_.size(), done_, running_.size()});
      stop = watch.wait(between_reports);
      save_ended();
    }
    running_.clear();  // which kills them
    return {done_, stop};
  }

 private:
  /// Starts the next run. False if the host has no room for another process until one of ours ends.
  bool start() {
    const std::int64_t id = runs_[next_];
    try {
      const planned_run planned = store_.run(id);
      running_.emplace_back(id, [&] { return work_(planned); });
    } catch (const std::system_error&) {
      if (running_.empty()) throw;
      return false;
    }
    ++next_;
    return true;
  }

  void save_ended() {
    for (auto process = running_.begin(); process != running_.end();) {
      const auto finished = process->process.poll();
      if (!finished) {
        ++process;
        continue;
      }
      store_.save(process->id, *finished);
      ++done_;
      process = running_.erase(process);
    }
  }

  result_store& store_;
  const std::vector<std::int64_t>& runs_;
  const planned_work& work_;
  const engine_options& options_;
  std::size_t next_ = 0, done_ = 0;
  std::list<running_process> running_;
};

}  // namespace

engine_outcome run_all(result_store& store, const std::vector<std::int64_t>& runs, const planned_work& work,
                       const engine_options& options) {
  return engine(store, runs, work, options).run();
}

}  // namespace tcsim
