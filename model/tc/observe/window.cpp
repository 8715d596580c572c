// SPDX-License-Identifier: Apache-2.0
#include "window.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace tc::observe {
namespace {

[[noreturn]] void reject(std::string_view text, const std::string& what) {
  throw std::invalid_argument(
      fmt::format("window '{}': {}; a window is FIRST..LAST in cycles, e.g. 1000..2000 or 1000.., or of "
                  "instructions, e.g. instructions:500..700; LAST is the first that is left out",
                  text, what));
}

std::optional<std::uint64_t> bound(std::string_view window, std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc::result_out_of_range || value == record_window::open_end) reject(window, fmt::format("'{}' is too large", digits));
  if (error != std::errc() || stopped != end) reject(window, fmt::format("'{}' is not a whole number", digits));
  return value;
}

}  // namespace

record_window record_window::parse(std::string_view text) {
  record_window window;
  std::string_view range = text;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    const std::string_view unit_name = text.substr(0, colon);
    range = text.substr(colon + 1);
    if (unit_name == "instructions")
      window.counted = unit::instructions;
    else if (unit_name != "cycles")
      reject(text, fmt::format("'{}' is neither 'cycles' nor 'instructions'", unit_name));
  }
  const std::size_t dots = range.find("..");
  if (dots == std::string_view::npos) reject(text, "there is no '..' in it");
  const std::optional<std::uint64_t> first = bound(text, range.substr(0, dots));
  const std::optional<std::uint64_t> last = bound(text, range.substr(dots + 2));
  if (!first && !last) reject(text, "it has no bound");
  window.first = first.value_or(0);
  window.last = last.value_or(open_end);
  if (window.first >= window.last) reject(text, "it is empty");
  return window;
}

window_progress::window_progress(const record_window& window) : window_(window) {
  if (of_instructions()) {
    first_ = record_window::open_end;
  } else {
    first_ = window.first;
    last_ = window.last;
  }
}

bool window_progress::instruction_begins(fabric::cycle_t cycle) {
  if (!of_instructions()) return true;
  const std::uint64_t number = instructions_++;
  if (number < window_.first || number >= window_.last) return false;
  first_ = std::min(first_, cycle);
  ++open_;
  return true;
}

void window_progress::instruction_ended(fabric::cycle_t cycle) {
  if (!of_instructions()) return;
  --open_;
  latest_end_ = std::max(latest_end_, cycle);
  if (open_ == 0 && instructions_ >= window_.last) last_ = latest_end_;
}

}  // namespace tc::observe
