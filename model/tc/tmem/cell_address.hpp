// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/tcgen05/tensor_address.hpp>

namespace tc::tmem {

inline constexpr unsigned cell_bytes = 4;
inline constexpr unsigned column_bytes = isa::chunk_lanes * cell_bytes;      ///< of a chunk: 32 lanes
inline constexpr unsigned chunk_bytes = isa::tensor_columns * column_bytes;  ///< from one chunk to the next
inline constexpr unsigned tensor_bytes = isa::tensor_chunks * chunk_bytes;   ///< of all chunks

/// Byte address of a cell in its chunk. Column after column, because that is how tensor memory is used: what the banks serve in a cycle
/// (two columns of 32 lanes) are 256 consecutive bytes, a load or store of whole lanes (.32x32b) is one range, one of 16 lanes the same
/// range with byte enables that repeat from column to column, and a shift moves the bytes of a column by one cell.
constexpr unsigned address_in_chunk(isa::tensor_address cell) {
  return cell.column * column_bytes + cell.lane % isa::chunk_lanes * cell_bytes;
}

/// Byte address of a cell in the whole tensor memory: chunk after chunk.
constexpr unsigned address_of(isa::tensor_address cell) { return cell.lane / isa::chunk_lanes * chunk_bytes + address_in_chunk(cell); }

}  // namespace tc::tmem
