// SPDX-License-Identifier: Apache-2.0
#include "warp_listing.hpp"

#include <fmt/format.h>

#include <tc/trace/step.hpp>

namespace tc::kernels {

void warp_listing::add(const code_block& block) {
  for (const kernel_instruction& instruction : block.instructions) add(instruction.code.text);
}

void warp_listing::add_access(std::string_view instruction, const linear_address& address, std::uint64_t offset, warp_place place) {
  add(instruction, std::nullopt, addresses_of(address, offset, place));
}

void warp_listing::add_access(std::string_view instruction, std::uint32_t mask, const std::vector<std::uint64_t>& addresses) {
  trace::address_list list;
  auto next = addresses.begin();
  trace::for_each_lane(mask, [&](unsigned lane) { list.set(lane, *next++); });
  add(instruction, mask, list);
}

void warp_listing::add_loop_end(unsigned counter, unsigned rounds, unsigned round, std::uint32_t begin) {
  constexpr std::string_view branch = "@P1 BRA `(.L_x_1)";
  add(fmt::format("IADD3 R{0}, R{0}, 0x1, RZ", counter));
  add(fmt::format("ISETP.NE.AND P1, PT, R{}, {:#x}, PT", counter, rounds));
  if (round + 1 == rounds) return add_idle(branch);
  add(branch);
  go_to(begin);
}

void warp_listing::add(std::string_view instruction, std::optional<trace::lane_mask> mask, const trace::address_list& addresses) {
  if (target_ != nullptr) target_->add(pc_, instruction, mask, addresses);
  pc_ += trace::instruction_bytes;
}

}  // namespace tc::kernels
