#include "progress_bar.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <unistd.h>

#include <fmt/format.h>

namespace tcsim {

namespace {

constexpr std::chrono::milliseconds first_after{500}, next_after{100};

}  // namespace

progress_bar::progress_bar(std::string label, std::uint64_t total)
    : label_(std::move(label)), total_(total), is_terminal_(isatty(STDERR_FILENO) == 1), next_(clock::now() + first_after) {}

progress_bar::~progress_bar() {
  if (is_shown_) std::cerr << "\r\x1b[K" << std::flush;
}

void progress_bar::advance_to(std::uint64_t done) {
  if (!is_terminal_ || clock::now() < next_) return;
  std::cerr << "\r\x1b[K" << progress_text(label_, done, total_) << std::flush;
  is_shown_ = true;
  next_ = clock::now() + next_after;
}

std::string progress_text(const std::string& label, std::uint64_t done, std::uint64_t total) {
  constexpr std::uint64_t width = 40;
  const std::uint64_t whole = std::max<std::uint64_t>(total, 1), part = std::min(done, whole);
  return fmt::format("{} [{:<{}}] {} %", label, std::string(part * width / whole, '#'), width, part * 100 / whole);
}

}  // namespace tcsim
