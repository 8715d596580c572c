// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <tc/trace/step.hpp>

#include "warp_state.hpp"

namespace tcsim::random_programs {

/// Global memory: regions by address.
class global_bytes {
 public:
  void add(std::uint64_t base, std::vector<std::uint8_t> content) { regions_[base] = std::move(content); }
  /// A byte. Throws not_executed outside of all regions.
  std::uint8_t& at(std::uint64_t address);
  const std::map<std::uint64_t, std::vector<std::uint8_t>>& regions() const { return regions_; }

 private:
  std::map<std::uint64_t, std::vector<std::uint8_t>> regions_;
};

/// Executes a load, a store or a transposition of matrices. False if it is none.
bool execute_memory(const tc::trace::step& step, global_bytes& global, std::vector<std::uint8_t>& shared, warp_state& warp);

}  // namespace tcsim::random_programs
