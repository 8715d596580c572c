// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/isa/register_use.hpp>

namespace tc::links {

/// Numbers the registers that a warp can wait for: vector and uniform registers, predicates, uniform predicates, one after the other. For
/// tables that hold something for each of them.
inline constexpr unsigned first_uniform_position = isa::register_numbers,
                          first_predicate_position = first_uniform_position + isa::uniform_register_numbers,
                          first_uniform_predicate_position = first_predicate_position + 8,
                          register_positions = first_uniform_predicate_position + 8;

/// Whether registers of the file have positions: convergence barriers and dependence counters do not.
constexpr bool has_position(isa::register_file file) {
  return file >= isa::register_file::vector && file <= isa::register_file::uniform_predicate;
}

/// The position of a register of a file that has positions.
constexpr unsigned register_position(isa::register_file file, unsigned index) {
  // Asked of each register of each instruction: a table, by register_file, as a switch would branch.
  constexpr std::array<std::uint16_t, 5> first{0, 0, first_uniform_position, first_predicate_position, first_uniform_predicate_position};
  static_assert(static_cast<unsigned>(isa::register_file::vector) == 1 && static_cast<unsigned>(isa::register_file::uniform) == 2 &&
                static_cast<unsigned>(isa::register_file::predicate) == 3 &&
                static_cast<unsigned>(isa::register_file::uniform_predicate) == 4);
  return first[static_cast<unsigned>(file)] + index;
}

}  // namespace tc::links
