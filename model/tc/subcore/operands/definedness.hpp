// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include <tc/fabric/clocked.hpp>
#include <tc/isa/register_use.hpp>
#include <tc/links/register_position.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// Which lanes of a register hold no value, and since which instruction.
struct undefined_value {
  std::uint32_t lanes = 0;
  links::value_origin origin{};
};

/// Registers of a warp, by register_position().
using register_set = std::bitset<links::register_positions>;

/// A shadow of the registers of all warps of a sub-core: what is undefined because nothing wrote it, or because an instruction wrote it
/// that the model does not compute. It exists to report such a value when it reaches a matrix instruction or a store; no bit depends on it.
class definedness {
 public:
  explicit definedness(unsigned warp_slots);

  /// A new warp: no register is defined.
  void clear(unsigned warp_slot);

  /// Whether any of these registers has undefined lanes; a quick question.
  bool is_any_undefined(unsigned warp_slot, const register_set& registers) const { return (warps_[warp_slot].undefined & registers).any(); }

  /// A register has been given one value for all lanes before the first instruction.
  void preset_to_one_value(unsigned warp_slot, isa::register_file file, unsigned index) {
    warps_[warp_slot].preset.set(links::register_position(file, index));
  }
  /// Whether it still has that value.
  bool has_preset_value(unsigned warp_slot, isa::register_file file, unsigned index) const {
    return warps_[warp_slot].preset.test(links::register_position(file, index));
  }

  /// The undefined lanes of consecutive registers, joined; the origin is that of the first undefined register.
  undefined_value of(unsigned warp_slot, isa::register_file file, unsigned index, unsigned count) const;

  /// An instruction wrote `lanes` of these registers, of which `undefined` have no value. A uniform register gets the value of the first of
  /// them.
  void written(unsigned warp_slot, isa::register_file file, unsigned index, unsigned count, std::uint32_t lanes,
               const undefined_value& value);

  /// The same from a cycle on: until then the registers are what they were.
  void written_from(cycle_t visible, unsigned warp_slot, isa::register_file file, unsigned index, unsigned count, std::uint32_t lanes,
                    const undefined_value& value);

  /// Brings in what is visible in this cycle; questions are about then.
  void settle(unsigned warp_slot, cycle_t cycle) {
    if (!warps_[warp_slot].coming.empty()) bring_in(warps_[warp_slot], cycle);
  }

 private:
  /// What some lanes of consecutive registers are from a cycle on.
  struct change {
    cycle_t visible = 0;
    unsigned first = 0, count = 0;
    std::uint32_t lanes = 0;
    undefined_value value;
  };
  struct warp_shadow {
    std::array<undefined_value, links::register_positions> registers;
    register_set undefined;      ///< those that have undefined lanes
    register_set preset;         ///< those that were given one value, and that no instruction has written since
    std::vector<change> coming;  ///< in the order of `visible`; only what changes something, which is rare
  };

  static change change_of(isa::register_file file, unsigned index, unsigned count, std::uint32_t lanes, const undefined_value& value);
  static void forget_preset(warp_shadow& warp, const change& written);
  static void apply(warp_shadow& warp, const change& written);
  static void bring_in(warp_shadow& warp, cycle_t cycle);

  std::vector<warp_shadow> warps_;
};

}  // namespace tc::subcore
