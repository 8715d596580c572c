// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tc::isa {

/// Tensor memory of a CTA: lanes of 32-bit columns (PTX ISA, "Tensor Memory Addressing"). A cell is one column of one lane. Warp w of a CTA
/// reaches the lanes of chunk w % 4.
inline constexpr unsigned tensor_lanes = 128, tensor_columns = 512, tensor_chunks = 4, chunk_lanes = tensor_lanes / tensor_chunks;
inline constexpr unsigned tensor_cell_bits = 32;

/// A cell of tensor memory; also the distance of a cell from another.
struct tensor_address {
  unsigned lane = 0;    ///< 0 to 127
  unsigned column = 0;  ///< 0 to 511
};

constexpr bool operator==(tensor_address x, tensor_address y) { return x.lane == y.lane && x.column == y.column; }
constexpr bool operator!=(tensor_address x, tensor_address y) { return !(x == y); }
constexpr bool operator<(tensor_address x, tensor_address y) { return x.lane != y.lane ? x.lane < y.lane : x.column < y.column; }
constexpr tensor_address operator+(tensor_address x, tensor_address y) { return {x.lane + y.lane, x.column + y.column}; }

constexpr bool in_tensor_memory(tensor_address address) { return address.lane < tensor_lanes && address.column < tensor_columns; }

/// Columns from `first` on.
struct column_range {
  unsigned first = 0, count = 0;
};

constexpr bool operator==(column_range x, column_range y) { return x.first == y.first && x.count == y.count; }
constexpr bool overlap(column_range x, column_range y) { return x.first < y.first + y.count && y.first < x.first + x.count; }

/// Whether tensor memory has all the columns of a range.
constexpr bool fits(column_range range) { return range.first + range.count <= tensor_columns; }

/// Why tensor memory does not have all the columns of a range, empty if it has; `what` they are of, for the text.
std::string column_range_mistake(column_range range, std::string_view what);

/// Why 32 bits are no address of tensor memory, empty if they are: the lane is in bits 31 to 16, the column in bits 15 to 0.
std::string tensor_address_mistake(std::uint32_t bits);

/// Throws std::invalid_argument with tensor_address_mistake().
tensor_address decode_tensor_address(std::uint32_t bits);

/// The bits of an address in tensor memory.
constexpr std::uint32_t encode(tensor_address address) { return address.lane << 16 | address.column; }

/// Cells of tensor memory that an instruction reads or writes: the same columns of some lanes.
struct tensor_cells {
  std::array<std::uint32_t, tensor_chunks> lanes{};  ///< by chunk, bit per lane
  column_range columns{};

  constexpr bool has(unsigned lane) const { return (lanes.at(lane / chunk_lanes) >> lane % chunk_lanes & 1) != 0; }
  constexpr void add(unsigned lane) { lanes.at(lane / chunk_lanes) |= 1U << lane % chunk_lanes; }
};

/// The columns in all lanes.
constexpr tensor_cells all_lanes(column_range columns) { return {{~0U, ~0U, ~0U, ~0U}, columns}; }

constexpr bool overlap(const tensor_cells& x, const tensor_cells& y) {
  bool lanes = false;
  for (unsigned chunk = 0; chunk < tensor_chunks; ++chunk) lanes = lanes || (x.lanes[chunk] & y.lanes[chunk]) != 0;
  return lanes && overlap(x.columns, y.columns);
}

}  // namespace tc::isa
