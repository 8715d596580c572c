// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <tc/config/machine.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/kernels/gemm_problem.hpp>

namespace tc::kernels {

/// How a kernel of warpgroup instructions divides the work. 0: chosen to suit the problem.
struct warpgroup_tiling {
  unsigned m = 0, n = 0, k = 0;         ///< elements of D that a CTA computes, 64 rows for each of its warpgroups, and of k in a stage
  unsigned stages = 0;                  ///< tiles of k that shared memory holds, while they arrive or are multiplied
  std::uint64_t memory_base = 1 << 20;  ///< address of the tensor maps in global memory; A, B and D follow
};

/// A kernel for a matrix product whose warpgroups multiply tiles of A and B in shared memory, where bulk copies put them, checked against
/// a machine: everything that its code and its trace follow from. A CTA has warpgroups that multiply, the consumers, and behind them one
/// warp that issues the copies, the producer.
///
/// A stage holds 128 bytes of each row of A and of each column of B, with the 128-byte swizzle. Two mbarriers belong to it: one tells the
/// consumers that it is full, one tells the producer that it is free.
struct warpgroup_gemm_plan {
  static constexpr unsigned stage_row_bytes = 128;
  static constexpr unsigned step_bytes = 32;  ///< of them that an instruction multiplies
  static constexpr unsigned warpgroup_warps = 4;
  static constexpr unsigned barrier_bytes = 8;

  gemm_problem problem;
  isa::architecture arch;
  isa::mma_operation operation;        ///< of a warpgroup
  warpgroup_tiling tiling;             ///< with nothing left to choose
  unsigned k_tiles = 0;                ///< along k; what the last one lacks is zero
  std::uint64_t shared_base = 0;       ///< of the first stage
  std::uint64_t shared_bytes = 0;      ///< of a CTA, those in front of the stages included
  unsigned registers = 0;              ///< of a thread
  std::uint64_t a_map = 0, b_map = 0;  ///< addresses of the tensor maps
  matrix_placement memory{};

  unsigned grid_x() const { return problem.n / tiling.n; }
  unsigned grid_y() const { return problem.m / tiling.m; }
  unsigned consumer_warps() const { return tiling.m / operation.m * warpgroup_warps; }
  unsigned warps() const { return consumer_warps() + 1; }
  unsigned steps() const { return stage_row_bytes / step_bytes; }                      ///< instructions that multiply a stage
  unsigned accumulators() const { return operation.d_registers() / warpgroup_warps; }  ///< of a thread

  // Addresses in the CTA's window of shared memory. A stage is its part of A and then that of B; behind the stages are the mbarriers.
  unsigned stage_bytes() const { return (tiling.m + tiling.n) * stage_row_bytes; }
  std::uint32_t a_address(unsigned stage) const { return static_cast<std::uint32_t>(shared_base) + stage * stage_bytes(); }
  std::uint32_t b_address(unsigned stage) const { return a_address(stage) + tiling.m * stage_row_bytes; }
  std::uint32_t full_barrier(unsigned stage) const { return a_address(tiling.stages) + barrier_bytes * stage; }
  std::uint32_t free_barrier(unsigned stage) const { return full_barrier(tiling.stages) + barrier_bytes * stage; }

  /// "m64n128k16.f32.f16.f16": shape and types of the instructions, as PTX spells them.
  std::string instruction_types() const;
};

/// Whether a machine has instructions of warpgroups, in code for this architecture.
bool has_warpgroup_gemm(isa::architecture arch, const config::machine& machine);

/// Chooses what the tiling leaves open. Throws gemm_error if the sizes do not divide, or the machine does not have such instructions for
/// the precision, or not enough registers, shared memory or warps.
warpgroup_gemm_plan make_warpgroup_gemm_plan(const gemm_problem& problem, const warpgroup_tiling& tiling, isa::architecture arch,
                                             const config::machine& machine);

}  // namespace tc::kernels
