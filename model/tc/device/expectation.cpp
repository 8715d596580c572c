// SPDX-License-Identifier: Apache-2.0
#include "expectation.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <tc/device/trace_content.hpp>
#include <tc/fabric/fault_listener.hpp>
#include <tc/fabric/reports.hpp>

namespace tc::device {

namespace {

void compare(const trace::byte_range& range, const trace::memory_content& content, memory_probe& memory,
             accounting::expectation_result& result) {
  constexpr std::uint64_t chunk = 65536;
  std::vector<std::uint8_t> want(std::min(chunk, range.bytes)), got(want.size());
  for (std::uint64_t offset = range.offset, end = range.offset + range.bytes; offset < end; offset += chunk) {
    const auto count = static_cast<std::size_t>(std::min(chunk, end - offset));
    if (!copy_content(memory, content, offset, want.data(), count)) return;
    if (!memory.read(result.base + offset, got.data(), count)) {
      fabric::fault(fabric::report::memory_region, memory,
                    fmt::format("global memory does not show {} bytes at {:#x}, which the trace expects", count, result.base + offset));
      return;  // the rest may be longer than any memory
    }
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
