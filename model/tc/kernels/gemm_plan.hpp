// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/config/machine.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/kernels/gemm_matrix_step.hpp>
#include <tc/kernels/gemm_problem.hpp>
#include <tc/kernels/gemm_registers.hpp>

namespace tc::kernels {

/// How the kernel divides the work. 0: chosen to suit the problem.
struct gemm_tiling {
  unsigned m = 0, n = 0, k = 0;         ///< elements of D that a CTA computes, and of k that it holds in shared memory at a time
  unsigned warps_m = 0, warps_n = 0;    ///< warps of a CTA along m and n
  bool double_buffered = true;          ///< loads the next tile, and the next fragments, while the current ones are multiplied
  std::uint64_t memory_base = 1 << 20;  ///< address of A in global memory; B and D follow
};

/// How one operand comes into the CTA's shared memory: every thread copies pieces of the same size.
struct tile_copy {
  unsigned rows = 0;         ///< of the tile: rows of A, columns of B
  unsigned piece_bytes = 0;  ///< 4, 8 or 16
  unsigned pieces = 0;       ///< of a thread

  unsigned registers() const { return pieces * piece_bytes / 4; }
};

/// A kernel for a matrix product, checked against a machine: everything that its code and its trace follow from.
struct gemm_plan {
  gemm_problem problem;
  isa::architecture arch;
  matrix_step step;
  gemm_tiling tiling;  ///< with nothing left to choose

  unsigned threads = 0;               ///< of a CTA
  unsigned k_bytes = 0;               ///< of a tile's row in global memory
  unsigned pitch_bytes = 0;           ///< from row to row in shared memory
  unsigned tiles = 0;                 ///< along k
  unsigned steps = 0;                 ///< of a tile
  unsigned a_steps = 0, b_steps = 0;  ///< of a warp along m and n
  tile_copy a{}, b{};
  std::uint64_t shared_base = 0;   ///< first byte of shared memory that is the kernel's
  std::uint64_t shared_bytes = 0;  ///< of a CTA, those in front of it included
  matrix_placement memory{};
  gemm_registers registers{};

  unsigned grid_x() const { return problem.n / tiling.n; }
  unsigned grid_y() const { return problem.m / tiling.m; }
  unsigned warps() const { return tiling.warps_m * tiling.warps_n; }
  unsigned buffers() const { return tiling.double_buffered ? 2 : 1; }
  unsigned stage_bytes() const { return (tiling.m + tiling.n) * pitch_bytes; }  ///< of a buffer in shared memory
  unsigned step_bytes() const { return step.k * problem.element_bits() / 8; }   ///< of a row that a matrix step takes
};

/// Whether there is a GEMM program for an architecture: its operands come from shared memory into registers, not into tensor memory.
inline bool has_gemm(isa::architecture arch) { return !isa::info(arch).tensor_memory; }

/// Chooses what the tiling leaves open. Throws gemm_error if the sizes do not divide, the machine does not have the precision or not enough
/// registers, shared memory or warps.
gemm_plan make_gemm_plan(const gemm_problem& problem, const gemm_tiling& tiling, isa::architecture arch, const config::machine& machine);

}  // namespace tc::kernels
