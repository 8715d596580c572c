// SPDX-License-Identifier: Apache-2.0
#include "definedness.hpp"

#include <algorithm>

#include <tc/isa/warp_lanes.hpp>

namespace tc::subcore {

definedness::definedness(unsigned warp_slots) : warps_(warp_slots) {
  for (unsigned slot = 0; slot < warp_slots; ++slot) clear(slot);
}

void definedness::clear(unsigned warp_slot) {
  warps_[warp_slot].registers.fill({isa::all_warp_lanes, {}});
  warps_[warp_slot].undefined.set();
  warps_[warp_slot].preset.reset();
  warps_[warp_slot].coming.clear();
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

definedness::change definedness::change_of(isa::register_file file, unsigned index, unsigned count, std::uint32_t lanes,
                                           const undefined_value& value) {
  const bool has_lanes = file == isa::register_file::vector || file == isa::register_file::predicate;
  const std::uint32_t all = has_lanes ? lanes : (lanes != 0 ? isa::all_warp_lanes : 0);
  const std::uint32_t first_lane = lanes & (~lanes + 1);  // whose value a uniform register gets
  const std::uint32_t undefined = has_lanes ? value.lanes & lanes : ((value.lanes & first_lane) != 0 ? all : 0);
  return {0, links::register_position(file, index), count, all, {undefined, value.origin}};
}

/// An instruction writes these registers.
void definedness::forget_preset(warp_shadow& warp, const change& written) {
  if (warp.preset.none()) return;
  for (unsigned position = written.first; position < written.first + written.count; ++position) warp.preset.reset(position);
}

void definedness::apply(warp_shadow& warp, const change& written) {
  for (unsigned position = written.first; position < written.first + written.count; ++position) {
    if (written.value.lanes == 0 && !warp.undefined[position]) continue;  // nearly always
    undefined_value& one = warp.registers[position];
    one.lanes = (one.lanes & ~written.lanes) | written.value.lanes;
    if (written.value.lanes != 0) one.origin = written.value.origin;
    warp.undefined.set(position, one.lanes != 0);
  }
}

void definedness::written(unsigned warp_slot, isa::register_file file, unsigned index, unsigned count, std::uint32_t lanes,
                          const undefined_value& value) {
  const change now = change_of(file, index, count, lanes, value);
  forget_preset(warps_[warp_slot], now);
  apply(warps_[warp_slot], now);
}

void definedness::written_from(cycle_t visible, unsigned warp_slot, isa::register_file file, unsigned index, unsigned count,
                               std::uint32_t lanes, const undefined_value& value) {
  warp_shadow& warp = warps_[warp_slot];
  change written = change_of(file, index, count, lanes, value);
  forget_preset(warp, written);
  if (warp.coming.empty() && written.value.lanes == 0) {
    unsigned position = written.first;
    while (position < written.first + count && !warp.undefined[position]) ++position;
    if (position == written.first + count) return;  // nearly always
  }
  written.visible = visible;
  const auto behind = std::upper_bound(warp.coming.begin(), warp.coming.end(), visible,
                                       [](cycle_t cycle, const change& other) { return cycle < other.visible; });
  warp.coming.insert(behind, written);
}

void definedness::bring_in(warp_shadow& warp, cycle_t cycle) {
  auto next = warp.coming.begin();
  for (; next != warp.coming.end() && next->visible <= cycle; ++next) apply(warp, *next);
  warp.coming.erase(warp.coming.begin(), next);
}

}  // namespace tc::subcore
