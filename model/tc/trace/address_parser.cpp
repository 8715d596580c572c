// SPDX-License-Identifier: Apache-2.0
#include "address_parser.hpp"

#include <fmt/format.h>

#include <tc/trace/limits.hpp>

namespace tc::trace {
namespace {

constexpr std::string_view forms = "'@ BASE+STRIDE', '@ BASE' or '@ {A, B, ...}'";

std::uint64_t read_address(text_cursor& in) { return in.number("the address", 0, address_limit - 1); }

void parse_list(text_cursor& in, lane_mask lanes, address_list& addresses) {
  const unsigned expected = count_lanes(lanes);
  const std::size_t begin = in.position() - 1;
  unsigned count = 0;
  unsigned lane = 0;
  do {
    const std::uint64_t address = read_address(in);
    while (lane < warp_lanes && !has_lane(lanes, lane)) ++lane;
    if (lane < warp_lanes) addresses.set(lane++, address);
    ++count;
  } while (in.accept(","));
  in.expect("}", forms);
  if (count != expected)
    in.fail_at(begin, fmt::format("{} addresses for {} lanes; the mask decides how many there must be", count, expected));
}

void spread(text_cursor& in, std::size_t begin, lane_mask lanes, std::uint64_t base, std::int64_t stride, address_list& addresses) {
  const unsigned first = first_lane(lanes);
  for_each_lane(lanes, [&](unsigned lane) {
    const std::int64_t address = static_cast<std::int64_t>(base) + stride * static_cast<std::int64_t>(lane - first);
    if (address < 0 || address >= static_cast<std::int64_t>(address_limit))
      in.fail_at(begin, fmt::format("the address of lane {} is {}; it must be from 0 to {:#x}", lane, address, address_limit - 1));
    addresses.set(lane, static_cast<std::uint64_t>(address));
  });
}

}  // namespace

void parse_addresses(text_cursor& in, lane_mask lanes, address_list& addresses) {
  addresses.clear();
  if (in.at_end()) in.fail(fmt::format("the addresses are missing; they are {}", forms));
  if (in.accept("{")) {
    parse_list(in, lanes, addresses);
  } else {
    const std::size_t begin = in.position();
    const std::uint64_t base = read_address(in);
    std::int64_t stride = 0;
    if (in.accept("+"))
      stride = in.signed_number("the stride", max_address_stride);
    else if (in.peek() == '-')
      stride = in.signed_number("the stride", max_address_stride);
    spread(in, begin, lanes, base, stride, addresses);
  }
  in.expect_end(forms);
}

}  // namespace tc::trace
