// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/fabric/clocked.hpp>

namespace tc::fabric {

/// Contiguous bytes of one group of a warp's access, a wavefront of shared memory or a line of global memory: one transaction.
struct access_run {
  std::uint64_t address = 0;
  std::uint16_t offset = 0;  ///< of its first byte in the access's buffer
  std::uint16_t length = 0;
  std::uint16_t group = 0;
};

/// An access of a warp to a memory as a whole, for a unit whose link to the memory is direct (direct_link.hpp).
struct warp_access {
  unsigned link = 0;    ///< over which its transactions would come
  cycle_t arrival = 0;  ///< the coming cycle or a later one
  bool is_write = false;
  std::uint64_t base = 0;                                       ///< to which the addresses of the runs are added
  const access_run *runs_begin = nullptr, *runs_end = nullptr;  ///< in the order of their groups
  unsigned char* buffer = nullptr;                              ///< where the offsets of the runs count from

  // What the memory answers.
  cycle_t first_valid = 0, valid = 0;  ///< when the first of its groups is done, and the last
};

}  // namespace tc::fabric
