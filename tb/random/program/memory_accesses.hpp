// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warp_text.hpp"

namespace tcsim::random_programs {

/// Memory that warps exchange: blocks, each of which belongs to one warp between two barriers, or to none and is then only read.
inline constexpr unsigned block_bytes = 512;

/// The blocks that a warp may access now, by their addresses.
struct warp_blocks {
  std::vector<std::uint64_t> read, written;
};

/// Adds loads and stores of both memories with random widths, lanes and addresses to a warp.
class memory_accesses {
 public:
  memory_accesses(random_numbers& random, tc::isa::architecture arch) : random_(random), arch_(arch) {}

  void add_global(warp_text& warp, const warp_blocks& blocks);
  void add_shared(warp_text& warp, const warp_blocks& blocks);
  /// A whole warp's words of 128 bits between four registers and a block. `address` is that of lane 0.
  void load_global(warp_text& warp, unsigned first_register, std::uint64_t address);
  void store_global(warp_text& warp, unsigned first_register, std::uint64_t address);
  void load_shared(warp_text& warp, unsigned first_register, std::uint64_t address);

 private:
  /// Where the access of an instruction reads its address, and that of global memory.
  std::string global_reference(const std::string& base) const;
  std::string global_suffix();
  std::uint32_t random_mask(const warp_text& warp);
  std::string addresses(const std::vector<std::uint64_t>& blocks, unsigned bytes, std::uint32_t mask);
  std::string rows(const std::vector<std::uint64_t>& blocks, bool distinct);
  void add_matrices(warp_text& warp, const warp_blocks& blocks);

  random_numbers& random_;
  tc::isa::architecture arch_;
};

}  // namespace tcsim::random_programs
