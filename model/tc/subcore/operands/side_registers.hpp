// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tc/fabric/clocked.hpp>
#include <tc/isa/register_use.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

/// The small registers of all warps of a sub-core that lie outside the banks: predicates (a bit per lane), uniform registers and uniform
/// predicates. Like a bank they take writes that become visible later.
class side_registers {
 public:
  explicit side_registers(unsigned warp_slots) : warps_(warp_slots) {}

  /// Predicate PT or UPT reads as true in all lanes, URZ as zero. A uniform predicate is 0 or all ones.
  std::uint32_t read(unsigned warp_slot, isa::register_file file, unsigned index, fabric::cycle_t cycle);

  /// Lanes outside `lanes` keep their bits; only predicates have lanes.
  void write(unsigned warp_slot, isa::register_file file, unsigned index, std::uint32_t value, std::uint32_t lanes,
             fabric::cycle_t visible);

  /// For a new warp: forgets what is on its way.
  void clear(unsigned warp_slot);

 private:
  static constexpr unsigned uniform_registers = 64, predicates = 8;

  struct pending_write {
    fabric::cycle_t visible;
    std::uint8_t position;
    std::uint32_t value, lanes;
  };
  struct warp_registers {
    std::array<std::uint32_t, uniform_registers + 2 * predicates> values{};
    std::vector<pending_write> pending;
  };

  static std::uint8_t position(isa::register_file file, unsigned index);

  std::vector<warp_registers> warps_;
};

}  // namespace tc::subcore
