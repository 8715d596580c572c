// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/isa/element_type.hpp>
#include <tc/kernels/gemm_precision.hpp>

namespace tc::kernels {

/// D = A x B. A is m x k in row-major order, B is k x n in column-major order, D is m x n in row-major order, all packed: the order that
/// mma.sync takes from Turing on.
struct gemm_problem {
  unsigned m = 0, n = 0, k = 0;
  gemm_precision precision;

  unsigned element_bits() const { return isa::bits(precision.multiplicand); }      ///< of A and B
  unsigned result_bytes() const { return isa::bits(precision.accumulator) / 8; }   ///< of an element of D
  unsigned row_bytes() const { return k * element_bits() / 8; }                    ///< of A; of a column of B
  std::uint64_t a_bytes() const { return std::uint64_t{m} * row_bytes(); }         ///< of all of A
  std::uint64_t b_bytes() const { return std::uint64_t{n} * row_bytes(); }         ///< of all of B
  std::uint64_t d_bytes() const { return std::uint64_t{m} * n * result_bytes(); }  ///< of all of D
};

/// Addresses of the matrices in global memory.
struct matrix_placement {
  std::uint64_t a = 0, b = 0, d = 0;
};

/// One matrix behind the other, each aligned as memory that a program allocates.
matrix_placement place_matrices(const gemm_problem& problem, std::uint64_t base);

/// Throws gemm_error unless `value`, which `name` names, is a multiple of `unit`, which `what` explains: "n = 100 is no multiple of 64,
/// the n of the tile; 64 and 128 would be".
void require_multiple(std::string_view name, unsigned value, unsigned unit, std::string_view what);

/// Throws gemm_error if a matrix takes 2 GiB, or if the rows of a tile of so many rows of A, columns of B and rows of D lie farther from
/// each other than the immediate of an address reaches.
void require_reach(const gemm_problem& problem, unsigned tile_m, unsigned tile_n);

}  // namespace tc::kernels
