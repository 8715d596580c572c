// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/isa/fragment_layout.hpp>
#include <tc/kernels/gemm_address.hpp>
#include <tc/kernels/gemm_plan.hpp>

namespace tc::kernels {

/// How a warp loads the fragments of one operand for one matrix step: `loads` loads of `registers` registers each.
struct fragment_loads {
  unsigned registers = 0, loads = 0;
};

/// Where the elements of a GEMM kernel lie in global and shared memory.
class gemm_addresses {
 public:
  explicit gemm_addresses(const gemm_plan& plan);

  linear_address a_global, b_global, d_global;  ///< of a thread's first piece of A and B, and its first element of D
  linear_address a_store, b_store;              ///< of its pieces in the first buffer in shared memory
  linear_address a_load, b_load;                ///< of its lane's part of the first fragments of its warp
  fragment_loads a_fragments, b_fragments;

  /// From a thread's first piece of a tile to its `index`th, in memory where rows are `pitch` bytes apart.
  std::uint64_t piece_offset(const tile_copy& copy, unsigned index, std::uint64_t pitch) const;
  /// From the address of the first fragment load of A or B to the `index`th, in the same matrix step.
  std::uint64_t load_offset(isa::fragment which, unsigned index) const;
  /// From a thread's first element of D to the first one in register `reg` of the part at matrix step (i, j) of its warp.
  std::uint64_t result_offset(unsigned i, unsigned j, unsigned reg) const;
  /// Registers from `reg` on, 1, 2 or 4, that one store can put into neighbouring bytes of D.
  unsigned result_run(unsigned reg) const;

 private:
  linear_address copy_address(const tile_copy& copy, linear_address address, std::uint32_t pitch) const;
  linear_address load_address(isa::fragment which, std::uint64_t base) const;
  void add_warps(linear_address& address, std::uint32_t along_m, std::uint32_t along_n) const;
  fragment_loads loads_of(unsigned steps, unsigned registers) const;
  std::uint32_t register_offset(isa::fragment which, unsigned reg) const;
  std::uint32_t fragment_offset(isa::fragment which, isa::matrix_position position) const;
  std::uint32_t result_offset(isa::matrix_position position) const;

  const gemm_plan& plan_;
};

}  // namespace tc::kernels
