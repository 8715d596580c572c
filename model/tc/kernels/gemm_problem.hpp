// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/element_type.hpp>

namespace tc::kernels {

/// A matrix product that the machine, or the kernel with this tiling, cannot compute: what() says what is wrong and what would be right.
class gemm_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The element types of a matrix product D = A x B: one for A and B, one for D, in which the sums are accumulated.
struct gemm_precision {
  std::string_view name;  ///< "f16", or "mixed" for f16 with f32 sums, as the literature on tensor cores calls them
  isa::element_type multiplicand, accumulator;
  std::string_view opcode;    ///< HMMA, QMMA, IMMA or BMMA: the instructions of the register file
  std::string_view suffixes;  ///< of the mnemonic, behind the shape
};

/// The precision of that name. Throws gemm_error, which lists all names.
const gemm_precision& find_precision(std::string_view name);

/// Names of the precisions whose matrix instructions an architecture has, for messages: "f16, mixed, s8".
std::string precision_names(isa::architecture arch);

/// Whether an architecture has warpgroup instructions that multiply a precision.
bool has_warpgroup_product(const gemm_precision& precision, isa::architecture arch);

/// All names.
std::vector<std::string> precision_names();

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
