#pragma once

#include <tc/isa/register_use.hpp>

namespace tc::subcore {

/// Numbers the registers that a warp can wait for: vector and uniform registers, predicates, uniform predicates, one after the other. For
/// tables that hold something for each of them.
inline constexpr unsigned first_uniform_position = 256, first_predicate_position = first_uniform_position + 64,
                          first_uniform_predicate_position = first_predicate_position + 8,
                          register_positions = first_uniform_predicate_position + 8;

/// Whether registers of the file have positions: convergence barriers and dependence counters do not.
constexpr bool has_position(isa::register_file file) {
  return file == isa::register_file::vector || file == isa::register_file::uniform || file == isa::register_file::predicate ||
         file == isa::register_file::uniform_predicate;
}

/// The position of a register of a file that has positions.
constexpr unsigned register_position(isa::register_file file, unsigned index) {
  switch (file) {
    case isa::register_file::uniform:
      return first_uniform_position + index;
    case isa::register_file::predicate:
      return first_predicate_position + index;
    case isa::register_file::uniform_predicate:
      return first_uniform_predicate_position + index;
    default:
      return index;
  }
}

}  // namespace tc::subcore
