// SPDX-License-Identifier: Apache-2.0
#include "trace_content.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::device {

std::optional<trace::warp_player> play_warp(const sc_core::sc_object& where, const kernel& kernel, const trace::cta_entry& cta,
                                            std::uint32_t index, warp_set others, unsigned sm) {
  try {
    trace::warp_player player = kernel.play(cta, index, sm);
    if ((others >> player.warp() & 1) != 0)
      throw trace::trace_error(kernel.file(), player.line(), 1, fmt::format("warp {} is given twice in this CTA", player.warp()));
    return player;
  } catch (const std::runtime_error& error) {
    fabric::fault(fabric::report::trace_content, where, error.what());
  }
  return std::nullopt;
}

bool play_step(const sc_core::sc_object& where, trace::warp_player& player, trace::step& step) {
  try {
    return player.next(step);
  } catch (const std::runtime_error& error) {
    fabric::fault(fabric::report::trace_content, where, error.what());
  }
  return false;
}

void issue_step(const sc_core::sc_object& where, trace::warp_player& player, trace::step& step, std::uint64_t cycle) {
  try {
    return player.issue(step, cycle);
  } catch (const std::runtime_error& error) {
    step.mask = 0;
    step.access = 0;
    fabric::fault(fabric::report::execution, where, cycle, error.what());
  }
}

void perform_access(const sc_core::sc_object& where, trace::warp_player& player, std::uint32_t access) {
  try {
    return player.perform(access);
  } catch (const std::runtime_error& error) {
    fabric::fault(fabric::report::execution, where, error.what());
  }
}

bool copy_content(const sc_core::sc_object& where, const trace::memory_content& content, std::uint64_t offset, std::uint8_t* destination,
                  std::size_t count) {
  try {
    content.copy(offset, destination, count);
    return true;
  } catch (const std::runtime_error& error) {
    fabric::fault(fabric::report::trace_content, where, error.what());
  }
  std::fill_n(destination, count, std::uint8_t{0});
  return false;
}

namespace {

void compare(const trace::byte_range& range, const trace::memory_content& content, memory_probe& memory,
             accounting::expectation_result& result) {
  constexpr std::uint64_t chunk = 65536;
  std::vector<std::uint8_t> want(std::min(chunk, range.bytes)), got(want.size());
  memory_probe::undefined_flags undefined;
  for (std::uint64_t offset = range.offset, end = range.offset + range.bytes; offset < end; offset += chunk) {
    const auto count = static_cast<std::size_t>(std::min(chunk, end - offset));
    if (!copy_content(memory, content, offset, want.data(), count)) return;
    if (!memory.read(result.base + offset, got.data(), count, &undefined)) {
      fabric::fault(fabric::report::memory_region, memory,
                    fmt::format("global memory does not show {} bytes at {:#x}, which the trace expects", count, result.base + offset));
      return;  // the rest may be longer than any memory
    }
    result.undefined += undefined.size() - static_cast<std::size_t>(std::count(undefined.begin(), undefined.end(), 0));
    if (std::equal(want.begin(), want.begin() + static_cast<std::ptrdiff_t>(count), got.begin())) continue;
    for (std::size_t i = 0; i < count; ++i) {
      if (want[i] == got[i]) continue;
      if (result.mismatches++ == 0) result.first = accounting::expectation_result::difference{result.base + offset + i, want[i], got[i]};
    }
  }
  result.compared += range.bytes;
}

}  // namespace

accounting::expectation_result check_expectation(const trace::expected_image& expected, memory_probe& memory) {
  accounting::expectation_result result;
  result.base = expected.base;
  result.bytes = expected.content.bytes();
  if (expected.samples.empty()) compare({0, result.bytes}, expected.content, memory, result);
  for (const trace::byte_range& sample : expected.samples) compare(sample, expected.content, memory, result);
  return result;
}

}  // namespace tc::device
