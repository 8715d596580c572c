// SPDX-License-Identifier: Apache-2.0
#include "local_memory.hpp"

namespace tc::subcore {

namespace {

constexpr unsigned word_of_lane_bytes = 4, stored_register_source = links::warp_instruction::stored_source;

/// A value of `bytes` bytes with its sign.
std::uint32_t with_sign(std::uint32_t value, unsigned bytes) {
  const std::uint32_t sign = 1U << (8 * bytes - 1);
  return (value ^ sign) - sign;
}

}  // namespace

local_memory::words& local_memory::words_of(const warp::warp_context& warp) {
  warp_words& mine = warps_[warp.slot];
  const std::tuple owner{warp.kernel, warp.cta, warp.warp_in_cta};
  if (mine.owner != owner) mine = {owner, {}};
  return mine.by_number;
}

void local_memory::store(const links::warp_instruction& instruction) {
  words& memory = words_of(*instruction.warp);
  const unsigned bytes = instruction.code().mods.access_bits / 8U;
  const bool any_undefined = instruction.sources[stored_register_source].undefined_lanes != 0;
  for (std::uint32_t left = instruction.step.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    const std::uint32_t bit = 1U << lane;
    for (unsigned i = 0; i < bytes; ++i) {
      const auto address = static_cast<std::uint32_t>(instruction.step.addresses[lane]) + i;
      const unsigned shift = 8 * (address % word_of_lane_bytes);
      const bool has_register = i / word_of_lane_bytes < instruction.sources[stored_register_source].count;
      const std::uint32_t data = has_register ? instruction.operand(stored_register_source, i / word_of_lane_bytes)[lane] : 0;
      word& there = memory[address / word_of_lane_bytes];
      there.value[lane] = (there.value[lane] & ~(0xffU << shift)) | (data >> 8 * (i % word_of_lane_bytes) & 0xffU) << shift;
      const bool undefined = any_undefined && has_register && (instruction.undefined_stored_lanes[i / word_of_lane_bytes] & bit) != 0;
      std::uint32_t& defined = there.defined[address % word_of_lane_bytes];
      defined = undefined ? defined & ~bit : defined | bit;
    }
  }
}

void local_memory::load(links::warp_instruction& instruction) {
  const words& memory = words_of(*instruction.warp);
  const isa::modifiers& mods = instruction.code().mods;
  const unsigned bytes = mods.access_bits / 8U;
  for (unsigned i = 0; i * word_of_lane_bytes < bytes; ++i) instruction.result_registers[i] = {};
  for (std::uint32_t left = instruction.step.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    for (unsigned i = 0; i < bytes; ++i) {
      const auto address = static_cast<std::uint32_t>(instruction.step.addresses[lane]) + i;
      const auto found = memory.find(address / word_of_lane_bytes);
      const bool is_defined = found != memory.end() && (found->second.defined[address % word_of_lane_bytes] >> lane & 1U) != 0;
      if (!is_defined) instruction.undefined_lanes |= 1U << lane;
      if (found == memory.end()) continue;
      const std::uint32_t byte = found->second.value[lane] >> 8 * (address % word_of_lane_bytes) & 0xffU;
      instruction.result_registers[i / word_of_lane_bytes][lane] |= byte << 8 * (i % word_of_lane_bytes);
    }
    std::uint32_t& first = instruction.result_registers[0][lane];
    if (bytes < word_of_lane_bytes && mods.access_signed) first = with_sign(first, bytes);
  }
}

void local_memory::reset() {
  for (warp_words& each : warps_) each = {};
}

}  // namespace tc::subcore
