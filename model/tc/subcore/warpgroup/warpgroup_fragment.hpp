// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/isa/asynchronous_operation.hpp>
#include <tc/links/warp_instruction.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

// A warp's part of a warpgroup matrix instruction, between registers (fragment figures of the PTX ISA, wgmma) and the words that
// dot_product_transfer takes: A 16 rows x 8 words of k, word w of row r at [w * 16 + r]; sums (r, n) at [n * 16 + r].

/// A from the sources of an instruction, with the sign that the operation gives it.
void load_a(const links::warp_instruction& instruction, const isa::wgmma_operation& operation, std::uint32_t* words);
/// A from its rows in shared memory, word w of row r at rows[r * 8 + w].
void load_a(const std::uint32_t* rows, const isa::wgmma_operation& operation, std::uint32_t* words);
/// B, whose columns keep their place, with its sign.
void load_b(const std::uint32_t* columns, const isa::wgmma_operation& operation, std::uint32_t* words);

/// Accumulator `index` of the operation, for all lanes.
void load_sums(const isa::wgmma_operation& operation, unsigned index, const warp::lane_vector& from, std::uint32_t* sums);
void store_sums(const isa::wgmma_operation& operation, unsigned index, const std::uint32_t* sums, warp::lane_vector& to);

}  // namespace tc::subcore
