// SPDX-License-Identifier: Apache-2.0
#include "side_registers.hpp"

#include <cstddef>

#include <systemc>

namespace tc::subcore {

std::uint8_t side_registers::position(isa::register_file file, unsigned index) {
  switch (file) {
    case isa::register_file::uniform:
      return static_cast<std::uint8_t>(index);
    case isa::register_file::predicate:
      return static_cast<std::uint8_t>(uniform_registers + index);
    case isa::register_file::uniform_predicate:
      return static_cast<std::uint8_t>(uniform_registers + predicates + index);
    default:
      break;
  }
  sc_assert(false);
  return 0;
}

std::uint32_t side_registers::read(unsigned warp_slot, isa::register_file file, unsigned index, fabric::cycle_t cycle) {
  if (file == isa::register_file::uniform ? index == isa::zero_uniform_register : index == isa::true_predicate)
    return file == isa::register_file::uniform ? 0 : 0xffffffffu;
  warp_registers& warp = warps_[warp_slot];
  for (std::size_t i = 0; i < warp.pending.size();) {
    // Writes to one register are in the order of their visibility: results of one register never overtake each other.
    const pending_write& write = warp.pending[i];
    if (write.visible > cycle) {
      ++i;
      continue;
    }
    std::uint32_t& value = warp.values[write.position];
    value = (value & ~write.lanes) | (write.value & write.lanes);
    warp.pending.erase(warp.pending.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return warp.values[position(file, index)];
}

void side_registers::write(unsigned warp_slot, isa::register_file file, unsigned index, std::uint32_t value, std::uint32_t lanes,
                           fabric::cycle_t visible) {
  if (file == isa::register_file::uniform ? index == isa::zero_uniform_register : index == isa::true_predicate) return;
  warps_[warp_slot].pending.push_back({visible, position(file, index), value, lanes});
}

void side_registers::clear(unsigned warp_slot) { warps_[warp_slot] = {}; }

}  // namespace tc::subcore
