// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/isa/instruction.hpp>
#include <tc/isa/warp_lanes.hpp>
#include <tc/warp/kernel_constants.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::warp {

/// Coordinates in a grid, a block or a cluster: x, y, z.
using coordinates = std::array<std::uint32_t, 3>;

/// Where a warp stands in its kernel, and what it shares with other warps. Fixed from launch to exit.
struct warp_context {
  std::uint32_t slot = 0;          ///< warp slot of the sub-core
  std::uint32_t kernel = 0;        ///< number of the kernel in the run
  std::uint32_t cta = 0;           ///< linear CTA number, x + gx (y + gy z)
  std::uint32_t cta_slot = 0;      ///< CTA slot of the SM
  std::uint32_t warp_in_cta = 0;   ///< number of the warp in its CTA
  std::uint32_t cluster_rank = 0;  ///< of the CTA in its cluster, x fastest (PTX ISA, %cluster_ctarank)
  std::uint32_t peer_cta = 0;      ///< linear number of the other CTA of its pair, in a kernel that has pairs (isa::cta_group)
  coordinates cta_id{};            ///< SR_CTAID
  coordinates grid{1, 1, 1};
  coordinates block{lanes_per_warp, 1, 1};
  std::uint64_t shared_base = 0;   ///< where the CTA's window begins in the shared memory of the SM
  std::uint32_t shared_bytes = 0;  ///< bytes of the window
  const constant_memory* constants = nullptr;
  const tensor_map_table* tensor_maps = nullptr;
  bool has_warpgroup_operations = false;  ///< its kernel has instructions that use registers behind the warp's back
  bool is_executed = false;               ///< what its steps do, but for pc and code, is known only when they issue
};

/// One executed instruction of a warp: the decoded instruction and what only the run knows.
struct warp_step {
  const isa::instruction* code = nullptr;
  std::uint32_t mask = isa::all_warp_lanes;               ///< active lanes
  std::uint32_t pc = 0;                                   ///< address of the instruction
  std::uint32_t line = 0;                                 ///< line of the trace, for messages
  std::array<std::uint64_t, lanes_per_warp> addresses{};  ///< byte address of each lane; meaningful for instructions that access memory
  std::uint32_t condition = isa::all_warp_lanes;          ///< of a warp that is executed: where the predicate behind an address holds
  std::uint32_t access = 0;  ///< who made the step wants to hear when memory performs this access of the warp; 0: not

  /// Whether they can be.
  bool has_addresses() const { return code->asynchronous != nullptr || isa::info(code->op).memory.action != isa::memory_action::none; }

  /// Takes over what is meaningful of another.
  void assign(const warp_step& other) {
    code = other.code;
    mask = other.mask;
    pc = other.pc;
    line = other.line;
    condition = other.condition;
    access = other.access;
    if (has_addresses()) addresses = other.addresses;
  }
};

}  // namespace tc::warp
