// SPDX-License-Identifier: Apache-2.0
#include "progress_bar.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace tcsim {

namespace {

constexpr std::chrono::milliseconds first_after{500}, next_after{100}, next_line_after{10000};

std::uint64_t tenths(std::uint64_t done, std::uint64_t total) { return total == 0 ? 10 : done * 10 / total; }

}  // namespace

progress_bar::progress_bar(std::string label, std::uint64_t total, elsewhere otherwise)
    : label_(std::move(label)),
      total_(total),
      otherwise_(otherwise),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      start_(clock::now()),
      next_(start_ + (is_terminal_ ? first_after : next_line_after)) {}

progress_bar::~progress_bar() {
  if (is_shown_ && is_terminal_) std::cerr << "\r\x1b[K" << std::flush;
}

bool progress_bar::is_line_due(std::uint64_t done) const {
  return is_terminal_ || (otherwise_ == elsewhere::lines && tenths(done, total_) > shown_tenths_);
}

void progress_bar::advance_to(std::uint64_t done, const std::string& detail) {
  stop_if_interrupted();
  show(done, detail);
}

void progress_bar::show_if_due(const std::function<state()>& current) {
  if (clock::now() < next_ || (!is_terminal_ && otherwise_ == elsewhere::nothing)) return;
  const state now = current();
  show(now.done, now.detail);
}

void progress_bar::show(std::uint64_t done, const std::string& detail) {
  const clock::time_point now = clock::now();
  if (now < next_ || !is_line_due(done)) return;
  std::string behind = detail;
  if (done > 0 && done < total_) {
    const std::chrono::duration<double> left = (now - start_) * (static_cast<double>(total_ - done) / static_cast<double>(done));
    behind += (behind.empty() ? "" : ", ") + duration_text(left) + " left";
  }
  const std::string line = progress_text(label_, done, total_, behind);
  std::cerr << (is_terminal_ ? "\r\x1b[K" + line : line + '\n') << std::flush;
  is_shown_ = true;
  shown_tenths_ = tenths(done, total_);
  next_ = now + (is_terminal_ ? next_after : next_line_after);
}

std::function<void(std::uint64_t, std::uint64_t)> progress_listener(const std::string& label) {
  return [label, bar = std::make_shared<std::optional<progress_bar>>()](std::uint64_t done, std::uint64_t total) {
    if (!*bar) bar->emplace(label, total);
    (*bar)->advance_to(done);
  };
}

std::string progress_text(const std::string& label, std::uint64_t done, std::uint64_t total, const std::string& detail) {
  constexpr std::uint64_t width = 40;
  const std::uint64_t whole = std::max<std::uint64_t>(total, 1), part = std::min(done, whole);
  return fmt::format("{} [{:<{}}] {} %{}{}", label, std::string(part * width / whole, '#'), width, part * 100 / whole,
                     detail.empty() ? "" : ", ", detail);
}

std::string duration_text(std::chrono::duration<double> duration) {
  const auto seconds = static_cast<std::uint64_t>(duration.count());
  const std::uint64_t minutes = seconds / 60, hours = minutes / 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes % 60, seconds % 60) : fmt::format("{}:{:02}", minutes, seconds % 60);
}

}  // namespace tcsim
