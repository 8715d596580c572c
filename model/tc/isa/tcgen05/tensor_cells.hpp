// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/isa/tcgen05/tensor_address.hpp>

namespace tc::isa {

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
