// SPDX-License-Identifier: Apache-2.0
#include "constant_load.hpp"

#include <algorithm>

namespace tc::subcore {

namespace {

/// The byte offset at which a lane reads.
std::uint32_t offset_of(const links::warp_instruction& instruction, unsigned lane) {
  const isa::operand& source = instruction.code().sources[0];
  return source.value + (is_indexed_by_lane(instruction.code()) ? instruction.operand(0, 0)[lane] : 0);
}

}  // namespace

bool is_indexed_by_lane(const isa::instruction& code) {
  const isa::operand& source = code.sources[0];
  return source.what == isa::operand::kind::constant && source.memory.base != isa::zero_register && source.memory.base_count > 0;
}

constant_addresses addresses_of(const links::warp_instruction& instruction, bool data) {
  constant_addresses addresses;
  addresses.bank = instruction.code().sources[0].bank;
  if (instruction.step.mask == 0) return addresses;
  if (!data || !is_indexed_by_lane(instruction.code())) {
    addresses.offset[addresses.count++] = instruction.code().sources[0].value;
    return addresses;
  }
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    if ((instruction.step.mask >> lane & 1U) == 0) continue;
    const std::uint32_t offset = offset_of(instruction, lane);
    const auto end = addresses.offset.begin() + addresses.count;
    if (std::find(addresses.offset.begin(), end, offset) == end) addresses.offset[addresses.count++] = offset;
  }
  return addresses;
}

bool load_constants(links::warp_instruction& instruction) {
  const isa::operand& source = instruction.code().sources[0];
  const bool is_known = source.what == isa::operand::kind::constant && source.memory.uniform == isa::zero_uniform_register;
  const unsigned words = instruction.code().mods.access_bits / 32;
  if (!is_known || instruction.warp->constants == nullptr || words == 0) return false;
  const bool by_lane = is_indexed_by_lane(instruction.code());
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const std::uint32_t offset = offset_of(instruction, lane);
    for (unsigned i = 0; i < words; ++i) {
      const auto word = instruction.warp->constants->word(source.bank, offset + 4 * i);
      if (by_lane)
        instruction.result_registers[i][lane] = word.value_or(0);
      else
        instruction.result_registers[i] = warp::broadcast(word.value_or(0));
      if (!word) instruction.undefined_lanes |= by_lane ? 1U << lane : 0xffffffffU;
    }
    if (!by_lane) break;
  }
  if (instruction.undefined_lanes != 0) instruction.origin = {&instruction.code(), instruction.step.line};
  return true;
}

}  // namespace tc::subcore
