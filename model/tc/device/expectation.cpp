#include "expectation.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <tc/fabric/fault_listener.hpp>
#include <tc/fabric/reports.hpp>

namespace tc::device {

expectation_result check_expectation(const trace::memory_image& expected, memory_probe& memory) {
  constexpr std::uint64_t chunk = 65536;
  expectation_result result{expected.base, expected.content.bytes()};
  std::vector<std::uint8_t> want(std::min(chunk, result.bytes)), got(want.size());
  for (std::uint64_t offset = 0; offset < result.bytes; offset += chunk) {
    const auto count = static_cast<std::size_t>(std::min(chunk, result.bytes - offset));
    expected.content.copy(offset, want.data(), count);
    if (!memory.read(result.base + offset, got.data(), count))
      fabric::fault(fabric::report::memory_region, memory,
                    fmt::format("global memory does not show {} bytes at {:#x}, which the trace expects", count, result.base + offset));
    for (std::size_t i = 0; i < count; ++i) {
      if (want[i] == got[i]) continue;
      if (result.mismatches++ == 0) result.first = expectation_result::difference{result.base + offset + i, want[i], got[i]};
    }
  }
  return result;
}

}  // namespace tc::device
