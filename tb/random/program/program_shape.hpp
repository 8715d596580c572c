// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <tc/config/machine.hpp>
#include <tc/isa/architecture.hpp>

#include "instruction_templates.hpp"

namespace tcsim::random_programs {

inline constexpr unsigned warpgroup_warps = 4;

/// Extents of a grid, a block or a cluster: x, y, z.
using extents = std::array<unsigned, 3>;

/// How many warps do something, and with how much memory.
struct program_shape {
  unsigned ctas = 1, warps = 1, threads = 32;     ///< warps and threads of a CTA; the last warp may be a part of one
  unsigned shared_blocks = 2, global_blocks = 2;  ///< of a CTA
  extents grid{1, 1, 1}, block{32, 1, 1}, cluster{1, 1, 1};

  /// Threads of a warp.
  unsigned threads_of(unsigned warp) const;
  /// Where a CTA is in the grid.
  extents place_of(unsigned cta) const;
};

/// Mostly small, so that many programs run and a wrong one is readable. The machine has room for a cluster. `bytes_before`: of shared
/// memory, in front of the blocks.
program_shape random_shape(random_numbers& random, const tc::config::machine& machine, tc::isa::architecture arch, unsigned bytes_before);

}  // namespace tcsim::random_programs
