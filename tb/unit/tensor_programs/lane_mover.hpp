// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "shared_tile.hpp"
#include "tensor_arrays.hpp"

namespace tc::tensor_programs {

/// tcgen05.cp as the PTX ISA describes it.
struct tile_copy {
  enum class shape : std::uint8_t { of_128x256b, of_128x128b, of_4x256b, of_64x128b_02_13, of_64x128b_01_23, of_32x128b };
  enum class format : std::uint8_t { as_it_is, from_4_bits, from_6_bits };

  shape form = shape::of_128x256b;
  format source_format = format::as_it_is;
  cell first{};
  shared_tile source{};

  unsigned rows() const;
  unsigned width() const;  ///< in columns
  footprint touched() const;
  std::string text() const;
};

void copy(const tile_copy& what, tensor_arrays& arrays);

/// tcgen05.shift: lane i of each 32 gets what lane i + 1 has, and the last one keeps what it has (public SASS documentation project; the
/// rule of .ashift in CUTLASS).
void shift(unsigned first_column, tensor_arrays& arrays);
footprint touched_by_shift(unsigned first_column);
std::string shift_text(unsigned first_column);

}  // namespace tc::tensor_programs
