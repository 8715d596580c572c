// SPDX-License-Identifier: Apache-2.0
#include "grid_execution.hpp"

#include <deque>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <tc/execution/cta_state.hpp>
#include <tc/execution/kernel_fault.hpp>
#include <tc/execution/launched_grid.hpp>

namespace tc::execution {

namespace {

constexpr std::uint64_t turn_instructions = 4096;  // that a warp executes before others of its CTA go on
constexpr unsigned turns_alone = 64;               // of a CTA before the next one begins

/// The CTAs of a launch, in order.
class grid_runner {
 public:
  grid_runner(const grid_setting& setting, unsigned resident, const execution_limits& limits, const execution_listener& listener)
      : setting_(setting), resident_(resident), limits_(limits), listener_(listener) {}

  void run() {
    while (next_ < setting_.grid.count() || !ctas_.empty()) {
      if (ctas_.empty()) begin_next();
      if (!run_first(turns_alone)) rotate();
    }
  }

 private:
  struct resident_cta {
    std::unique_ptr<cta_state> state;
    std::uint64_t executed = 0;
  };

  void begin_next() { ctas_.push_back({std::make_unique<cta_state>(setting_, next_++)}); }

  /// True if the first CTA has ended.
  bool run_first(unsigned turns) {
    resident_cta& first = ctas_.front();
    for (unsigned turn = 0; turn < turns; ++turn) {
      const std::uint64_t executed = first.state->run(turn_instructions);
      first.executed += executed;
      if (first.state->has_ended()) {
        if (setting_.observer != nullptr) setting_.observer->ended(first.state->number());
        ctas_.pop_front();
        ++ended_;
        if (listener_) listener_(ended_);
        return true;
      }
      if (first.executed > limits_.cta_instructions) fail(*first.state, limits_.cta_instructions);
    }
    if (listener_) listener_(ended_);
    return false;
  }

  /// The first one goes behind those that are resident, and one more begins if there is place.
  void rotate() {
    if (ctas_.size() < resident_ && next_ < setting_.grid.count()) begin_next();
    ctas_.push_back(std::move(ctas_.front()));
    ctas_.pop_front();
  }

  [[noreturn]] static void fail(const cta_state& cta, std::uint64_t limit) {
    throw kernel_fault(fmt::format("{}; a CTA has executed {} warp instructions here, as many as the limit allows", cta.place(), limit));
  }

  const grid_setting& setting_;
  unsigned resident_;
  const execution_limits& limits_;
  const execution_listener& listener_;
  std::deque<resident_cta> ctas_;
  std::uint64_t next_ = 0, ended_ = 0;
};

}  // namespace

void run_grid(const grid_setting& setting, unsigned resident, const execution_limits& limits, const execution_listener& listener) {
  grid_runner(setting, resident, limits, listener).run();
}

execution_result execute(const launches::launch& launch, const listings::sass_kernel& kernel, const config::machine& machine,
                         const execution_limits& limits, const execution_listener& listener, execution_observer* observer) {
  launched_grid grid(launch, kernel, machine, observer, false);
  if (observer != nullptr) observer->begins(grid.memory, grid.constants());
  run_grid(grid.setting(), grid.resident_ctas(), limits, listener);
  return {std::move(grid.memory), grid.counts, grid.code().refused()};
}

}  // namespace tc::execution
