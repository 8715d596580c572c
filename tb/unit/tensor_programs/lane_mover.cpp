// SPDX-License-Identifier: Apache-2.0
#include "lane_mover.hpp"

#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>

namespace tc::tensor_programs {

namespace {

struct shape_row {
  const char* name;
  unsigned rows, width;
};

constexpr std::array<shape_row, 6> shapes{{{"128x256b", 128, 8},
                                           {"128x128b", 128, 4},
                                           {"4x256b", 4, 8},
                                           {"64x128b.warpx2::02_13", 64, 4},
                                           {"64x128b.warpx2::01_23", 64, 4},
                                           {"32x128b.warpx4", 32, 4}}};
constexpr std::array<const char*, 3> formats{"", ".b8x16.b4x16_p64", ".b8x16.b6x16_p32"};

const shape_row& row_of(tile_copy::shape form) { return shapes.at(static_cast<std::size_t>(form)); }

std::vector<unsigned> lanes_of(const tile_copy& what, unsigned row) {
  switch (what.form) {
    case tile_copy::shape::of_4x256b:
      return {what.first.lane + chunk_lanes * row};
    case tile_copy::shape::of_64x128b_02_13:
      return {row, row + 64};
    case tile_copy::shape::of_64x128b_01_23:
      return row < 32 ? std::vector<unsigned>{row, row + 32} : std::vector<unsigned>{row + 32, row + 64};
    case tile_copy::shape::of_32x128b:
      return {row, row + 32, row + 64, row + 96};
    default:
      return {row};
  }
}

/// 16 elements of 4 or 6 bits side by side, each to a byte: e2m1 to bits 2 to 5, those of 6 bits to bits 1 to 6 (CUTLASS).
void decompress(tile_copy::format from, std::array<std::uint8_t, unit_bytes>& unit) {
  if (from == tile_copy::format::as_it_is) return;
  const unsigned bits = from == tile_copy::format::from_4_bits ? 4 : 6, left = from == tile_copy::format::from_4_bits ? 2 : 1;
  std::array<std::uint8_t, unit_bytes> bytes{};
  for (unsigned bit = 0; bit < unit_bytes * bits; ++bit) {
    const unsigned is_set = unit.at(bit / 8) >> bit % 8 & 1U;
    bytes.at(bit / bits) = static_cast<std::uint8_t>(bytes.at(bit / bits) | is_set << (bit % bits + left));
  }
  unit = bytes;
}

}  // namespace

unsigned tile_copy::rows() const { return row_of(form).rows; }
unsigned tile_copy::width() const { return row_of(form).width; }

footprint tile_copy::touched() const {
  footprint result;
  for (unsigned row = 0; row < rows(); ++row)
    for (const unsigned lane : lanes_of(*this, row))
      for (unsigned column = 0; column < width(); ++column) result.writes.set(index_of({lane, first.column + column}));
  return result;
}

std::string tile_copy::text() const {
  return fmt::format("tcgen05.cp.cta_group::1.{}{} [{:#x}], {:#x}", row_of(form).name, formats.at(static_cast<std::size_t>(source_format)),
                     address_of(first), source.descriptor());
}

void copy(const tile_copy& what, tensor_arrays& arrays) {
  for (unsigned row = 0; row < what.rows(); ++row) {
    for (unsigned first = 0; first < what.width(); first += unit_bytes / word_bytes) {
      std::array<std::uint8_t, unit_bytes> unit{};
      for (unsigned byte = 0; byte < unit_bytes; ++byte)
        unit.at(byte) = arrays.shared.at(what.source.address(row, first * word_bytes + byte));
      decompress(what.source_format, unit);
      for (unsigned word = 0; word < unit_bytes / word_bytes; ++word)
        for (const unsigned lane : lanes_of(what, row))
          std::memcpy(&arrays.at({lane, what.first.column + first + word}), &unit.at(std::size_t{word} * word_bytes), word_bytes);
    }
  }
}

void shift(unsigned first_column, tensor_arrays& arrays) {
  for (unsigned column = first_column; column < first_column + shift_columns; ++column)
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (lane % chunk_lanes != chunk_lanes - 1) arrays.at({lane, column}) = arrays.at({lane + 1, column});
}

footprint touched_by_shift(unsigned first_column) {
  footprint result;
  for (unsigned column = first_column; column < first_column + shift_columns; ++column)
    for (unsigned lane = 0; lane < lanes; ++lane) result.writes.set(index_of({lane, column}));
  result.reads = result.writes;
  return result;
}

std::string shift_text(unsigned first_column) { return fmt::format("tcgen05.shift.cta_group::1.down [{:#x}]", first_column); }

}  // namespace tc::tensor_programs
