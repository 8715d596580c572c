// SPDX-License-Identifier: Apache-2.0
#include "step_check.hpp"

#include <fmt/format.h>

#include <tc/trace/asynchronous_check.hpp>

namespace tc::trace {

void check_step(const step& s, const code_entry& code, unsigned warp, const kernel_header& header, const text_cursor& in) {
  instruction_line parts;
  parts.code = in.line().text;
  if ((s.mask & ~header.lanes_of_warp(warp)) != 0) in.fail(fmt::format("the mask {:08x} names lanes without a thread", s.mask));
  if (code.instruction.asynchronous) check_lanes(code.instruction, s.mask, warp, header, parts, in);
  const bool accesses = code.access.space != isa::memory_space::none && s.mask != 0;
  const lane_mask lanes = !accesses ? 0 : code.access.every_lane ? all_lanes : s.mask;
  if (s.addresses.lanes() != lanes)
    in.fail(fmt::format("there are addresses for the lanes {:08x}; there must be for {:08x}", s.addresses.lanes(), lanes));
  check_addresses(code.access, s.addresses, header, in, 0);
}

}  // namespace tc::trace
