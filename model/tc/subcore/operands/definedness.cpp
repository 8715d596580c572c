// SPDX-License-Identifier: Apache-2.0
#include "definedness.hpp"

namespace tc::subcore {

definedness::definedness(unsigned warp_slots) : warps_(warp_slots) {
  for (unsigned slot = 0; slot < warp_slots; ++slot) clear(slot);
}

void definedness::clear(unsigned warp_slot) {
  warps_[warp_slot].registers.fill({0xffffffffu, {}});
  warps_[warp_slot].undefined.set();
  warps_[warp_slot].preset.reset();
}

undefined_value definedness::of(unsigned warp_slot, isa::register_file file, unsigned index, unsigned count) const {
  undefined_value joined;
  for (unsigned i = 0; i < count; ++i) {
    const undefined_value& one = warps_[warp_slot].registers[links::register_position(file, index + i)];
    if (one.lanes == 0) continue;
    if (joined.lanes == 0) joined.origin = one.origin;
    joined.lanes |= one.lanes;
  }
  return joined;
}

void definedness::written(unsigned warp_slot, isa::register_file file, unsigned index, unsigned count, std::uint32_t lanes,
                          const undefined_value& value) {
  const bool has_lanes = file == isa::register_file::vector || file == isa::register_file::predicate;
  const std::uint32_t all = has_lanes ? lanes : (lanes != 0 ? 0xffffffffu : 0);
  const std::uint32_t first_lane = lanes & (~lanes + 1);  // whose value a uniform register gets
  const std::uint32_t undefined = has_lanes ? value.lanes & lanes : ((value.lanes & first_lane) != 0 ? all : 0);
  warp_shadow& warp = warps_[warp_slot];
  const unsigned first = links::register_position(file, index);
  if (warp.preset.any())
    for (unsigned position = first; position < first + count; ++position) warp.preset.reset(position);
  for (unsigned position = first; position < first + count; ++position) {
    if (undefined == 0 && !warp.undefined[position]) continue;  // nearly always
    undefined_value& one = warp.registers[position];
    one.lanes = (one.lanes & ~all) | undefined;
    if (undefined != 0) one.origin = value.origin;
    warp.undefined.set(position, one.lanes != 0);
  }
}

}  // namespace tc::subcore
