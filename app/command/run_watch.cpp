// SPDX-License-Identifier: Apache-2.0
#include "run_watch.hpp"

#include <algorithm>
#include <unistd.h>

#include <fmt/format.h>

#include <tc/accounting/statistic_sum.hpp>

namespace tcsim {

namespace {

using tc::fabric::cycle_t;

constexpr cycle_t first_interval = 256;
constexpr std::chrono::milliseconds shortest{50}, longest{200};  // between two looks

std::uint64_t instructions_of(const tc::device::gpu& gpu) {
  std::uint64_t instructions = 0;
  for (const auto& each : gpu.kernels().entries()) instructions += each.of->trace().instructions();
  return instructions;
}

}  // namespace

run_watch::run_watch(const tc::device::gpu& gpu, unsigned processes, tc::device::run_pauses* others)
    : others_(others),
      progress_("running", instructions_of(gpu) / processes),
      shown_by_(getpid()),
      interval_(first_interval),
      next_(first_interval) {}

std::optional<cycle_t> run_watch::next() const {
  const std::optional<cycle_t> other = others_ == nullptr ? std::nullopt : others_->next();
  return other ? std::min(*other, next_) : next_;
}

void run_watch::look(cycle_t cycle) {
  if (others_ != nullptr && others_->next() == cycle) others_->look(cycle);
  if (cycle < next_) return;
  if (getpid() == shown_by_)
    progress_.show_if_due([cycle] {
      const std::uint64_t issued = tc::accounting::statistic_sum("scheduler", "issued").sum();
      return progress_bar::state{issued, fmt::format("cycle {}", cycle)};
    });
  choose_next(cycle);
}

/// Cycles of a run take very different times: one with nothing to do takes none.
void run_watch::choose_next(cycle_t cycle) {
  const clock::time_point now = clock::now();
  if (now - last_ < shortest) interval_ *= 2;
  if (now - last_ > longest) interval_ = std::max(interval_ / 2, first_interval / 16);
  last_ = now;
  next_ = cycle + interval_;
}

}  // namespace tcsim
