#pragma once

#include <cstdint>

#include <tc/subcore/fragment_transfer.hpp>
#include <tc/subcore/octet_range.hpp>
#include <tc/subcore/tensor_operation.hpp>

namespace tc::subcore {

// What octets compute in a step of HMMA.884: each threadgroup multiplies rows of A in its own lanes by a 4x4 tile of B that one of the two
// threadgroups of its octet holds and both read (Raihan et al., ISPASS 2019, tables II and III). Fragments follow the PTX ISA, mma.m8n8k4
// with f16 multiplicands: the four lanes of a threadgroup hold a tile in a pair of registers, a line of it in each lane or, of all lines,
// the elements of one k.
//
// Octet i of a range has its rows, columns and sums after those of octet i - 1: rows of the lower threadgroup, then of the upper one.

/// Registers and words of B that an octet takes in a step: the tile that one threadgroup holds.
inline constexpr unsigned step_tile_registers = 2, step_tile_words = step_tile_registers * lanes_per_threadgroup;

/// Packs the tiles of B that a step takes, the first register of an octet's four lanes and then the second, one octet after the other.
void pack_step_tiles(const tensor_operation& step, const lane_vector& first, const lane_vector& second, std::uint32_t* tiles);

/// The columns of B in packed tiles of `octets` octets: two words each, in ascending k.
void columns_of_step_tiles(const tensor_operation& step, const std::uint32_t* tiles, unsigned octets, std::uint32_t* columns);

/// The rows of A that the step multiplies, the words of one k side by side.
void rows_of_step(const fragment_transfer& operands, const octet_range& octets, std::uint32_t* words);

/// The elements of C that the step adds to, by column, then row.
void accumulators_of_step(const fragment_transfer& operands, const octet_range& octets, std::uint32_t* values);

/// D from rows, columns and C, ordered as C.
void compute_step(const tensor_operation& step, unsigned octets, const std::uint32_t* rows, const std::uint32_t* columns,
                  const std::uint32_t* c, std::uint32_t* d);

/// Puts D where accumulators_of_step() found C.
void store_step_products(const std::uint32_t* d, const octet_range& octets, fragment_transfer& products);

}  // namespace tc::subcore
