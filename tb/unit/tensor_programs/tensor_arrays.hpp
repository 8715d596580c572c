// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tc::tensor_programs {

constexpr unsigned lanes = 128, columns = 512, chunk_lanes = 32, shift_columns = 8;
constexpr unsigned warp_threads = 32, word_bytes = 4, unit_bytes = 16;

/// A 32-bit word of tensor memory.
struct cell {
  unsigned lane = 0, column = 0;
};

constexpr std::size_t index_of(cell at) { return std::size_t{at.column} * lanes + at.lane; }
/// PTX ISA: lane in bits 16 to 31, column in bits 0 to 15.
constexpr std::uint32_t address_of(cell at) { return at.lane << 16 | at.column; }

/// What a CTA sees of memory, at one moment.
struct tensor_arrays {
  std::vector<std::uint32_t> cells = std::vector<std::uint32_t>(std::size_t{lanes} * columns);
  std::vector<std::uint8_t> shared;

  std::uint32_t& at(cell where) { return cells[index_of(where)]; }
  std::uint32_t at(cell where) const { return cells[index_of(where)]; }
};

using cell_set = std::bitset<std::size_t{lanes} * columns>;

/// The cells of an instruction.
struct footprint {
  cell_set reads, writes;

  bool conflicts_with(const footprint& later) const {
    return (writes & (later.reads | later.writes)).any() || (reads & later.writes).any();
  }
};

}  // namespace tc::tensor_programs
