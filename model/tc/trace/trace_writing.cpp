// SPDX-License-Identifier: Apache-2.0
#include "trace_writing.hpp"

#include <cstdlib>
#include <iterator>
#include <optional>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <tc/isa/architecture.hpp>
#include <tc/trace/lanes.hpp>
#include <tc/trace/limits.hpp>

namespace tc::trace {
namespace {

/// The distance of neighbouring lanes' addresses, 0 for a single lane; nothing if it varies, or is longer than a trace can say.
std::optional<std::int64_t> stride_of(const address_list& addresses) {
  const unsigned first = first_lane(addresses.lanes());
  std::optional<std::int64_t> stride;
  bool constant = true;
  for_each_lane(addresses.lanes(), [&](unsigned lane) {
    if (lane == first) return;
    const auto distance = static_cast<std::int64_t>(addresses[lane] - addresses[first]);
    if (!stride) stride = distance / static_cast<std::int64_t>(lane - first);
    constant = constant && distance == *stride * static_cast<std::int64_t>(lane - first);
  });
  if (!constant || std::abs(stride.value_or(0)) > max_address_stride) return std::nullopt;
  return stride.value_or(0);
}

}  // namespace

std::string header_text(const kernel_header& header) {
  const auto extents = [](const dim3& size) { return fmt::format("{} {} {}", size.x, size.y, size.z); };
  std::string text = fmt::format("tcsim-trace 1\narch {}\nkernel {}\ngrid {}\nblock {}\n", isa::name(header.arch), header.kernel,
                                 extents(header.grid), extents(header.block));
  if (header.cluster.count() > 1) text += fmt::format("cluster {}\n", extents(header.cluster));
  return text + fmt::format("registers {}\nshared {}\n{}", header.registers, header.shared_bytes, header.has_data ? "" : "data none\n");
}

void append_addresses(std::string& text, const address_list& addresses) {
  if (addresses.empty()) return;
  auto out = std::back_inserter(text);
  if (const auto stride = stride_of(addresses)) {
    fmt::format_to(out, FMT_COMPILE(" @ {:#x}"), addresses[first_lane(addresses.lanes())]);
    if (*stride != 0) fmt::format_to(out, FMT_COMPILE("{:+d}"), *stride);
    return;
  }
  bool first = true;
  for_each_lane(addresses.lanes(), [&](unsigned lane) {
    fmt::format_to(out, FMT_COMPILE("{}{:#x}"), first ? " @ {" : ", ", addresses[lane]);
    first = false;
  });
  text += '}';
}

}  // namespace tc::trace
