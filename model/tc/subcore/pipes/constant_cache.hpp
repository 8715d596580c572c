// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/config/cache_parameters.hpp>
#include <tc/fabric/shared_tag_array.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/fabric/tag_array.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// The distinct addresses at which the active lanes of a constant load read: byte offsets in a bank.
struct constant_addresses {
  unsigned bank = 0;
  std::array<std::uint32_t, warp::lanes_per_warp> offset{};
  unsigned count = 0;
};

/// The constant caches as a load sees them: an L1 cache of the sub-core and the L1.5 cache of the SM. A warp is served one address at a
/// time, and all its lanes with the same address at once (Jia et al., arXiv 1804.06826, section 3.5).
class constant_cache {
 public:
  /// `l15`: the tags of the SM's cache, which its sub-cores share; they outlive this one.
  constant_cache(const config::constant_cache_parameters& parameters, fabric::shared_tag_array& l15);

  /// Cycles by which a load of a kernel that begins in `cycle` takes longer than one of a single address that hits the L1 cache.
  cycle_t further_cycles(std::uint32_t kernel, const constant_addresses& addresses, cycle_t cycle);

  /// Every constant is in the L1 cache.
  bool is_ideal() const { return params_.ideal; }

  /// The L1 cache is empty.
  void clear() { l1_.clear(); }

  /// As after construction, but for the tags that are not its own.
  void reset();
  void collect(fabric::statistics_sink& sink) const;

 private:
  cycle_t there(std::uint64_t address, cycle_t pass, cycle_t asked);

  const config::constant_cache_parameters params_;
  fabric::tag_array l1_;
  fabric::shared_tag_array& l15_;
  std::uint64_t passes_ = 0, l1_hits_ = 0, l1_misses_ = 0, l15_hits_ = 0, l15_misses_ = 0;
};

/// True if the lanes of an LDC may read at different addresses: a vector register indexes the bank.
bool is_indexed_by_lane(const isa::instruction& code);

/// Where an LDC or ULDC reads. Without `data` the index register has no value: a warp that is executed tells its addresses, and of others
/// all lanes read at one.
constant_addresses addresses_of(const links::warp_instruction& instruction, bool data);

/// Puts the words of an LDC or ULDC into its result registers and marks lanes whose word the trace does not give. False if the model cannot
/// tell where it reads: a uniform register indexes the bank.
bool load_constants(links::warp_instruction& instruction);

}  // namespace tc::subcore
