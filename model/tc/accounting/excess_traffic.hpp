// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tc/accounting/run_result.hpp>
#include <tc/config/machine.hpp>

namespace tc::accounting {

/// A memory that all SMs share, whose bandwidth the model does not limit.
enum class shared_level : std::uint8_t { l2, dram };

struct shared_level_info {
  std::string_view key;   ///< of statistics
  std::string_view name;  ///< for people
};
const shared_level_info& info(shared_level level);

/// What a kernel drew from a memory in fewer cycles than the part needs for it (config::memory_peak_parameters): silicon cannot reach its
/// cycles. Bytes are what passes at least: all reads, and of what is written that which the L2 cache has no room to keep.
struct excess_traffic {
  shared_level from = shared_level::dram;
  std::uint64_t bytes = 0;
  double implied_gb_per_second = 0;  ///< bytes over the kernel's time
  double peak_gb_per_second = 0;     ///< that the part has
  cycle_t least_cycles = 0;          ///< that the part needs

  double factor() const { return implied_gb_per_second / peak_gb_per_second; }
};

/// Those of a kernel: none if it stays within what the part has, or if that is not known.
std::vector<excess_traffic> excess_traffic_of(const kernel_result& kernel, const config::machine& machine);

/// For people: "implies 7.32 TB/s from DRAM, 1.52 times the 4.80 TB/s of the part: 134.7 MB take at least 51371 cycles".
std::string text(const excess_traffic& excess);

}  // namespace tc::accounting
