// SPDX-License-Identifier: Apache-2.0
#include "excess_traffic.hpp"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <tc/config/memory_clock.hpp>

namespace tc::accounting {

namespace {

/// Bytes in a cycle of the SMs, from GB/s.
double in_bytes_per_cycle(double gb_per_second, const config::machine& machine) { return gb_per_second * 1e3 / machine.clock_mhz; }

double in_gb_per_second(double bytes_per_cycle, const config::machine& machine) { return bytes_per_cycle * machine.clock_mhz / 1e3; }

void add_excess(std::vector<excess_traffic>& found, shared_level from, std::uint64_t bytes, std::optional<double> peak, cycle_t cycles,
                const config::machine& machine) {
  if (!peak || cycles == 0) return;
  const auto count = static_cast<double>(bytes);
  const double needed = count / *peak;
  if (needed <= static_cast<double>(cycles)) return;
  excess_traffic excess;
  excess.from = from;
  excess.bytes = bytes;
  excess.implied_gb_per_second = in_gb_per_second(count / static_cast<double>(cycles), machine);
  excess.peak_gb_per_second = in_gb_per_second(*peak, machine);
  excess.least_cycles = static_cast<cycle_t>(std::ceil(needed));
  found.push_back(excess);
}

/// What certainly passes: of what was written, the L2 cache can keep as much as it holds.
std::uint64_t dram_bytes(const memory_traffic& traffic, const config::machine& machine) {
  const std::uint64_t kept = machine.global_memory.hierarchy.l2.bytes;
  return traffic.read_from_dram + (traffic.written_anew > kept ? traffic.written_anew - kept : 0);
}

std::string rate_text(double gb_per_second) {
  return gb_per_second < 1000 ? fmt::format("{:.1f} GB/s", gb_per_second) : fmt::format("{:.2f} TB/s", gb_per_second / 1000);
}

std::string size_text(std::uint64_t bytes) {
  const auto count = static_cast<double>(bytes);
  if (count < 1e6) return fmt::format("{:.1f} kB", count / 1e3);
  return count < 1e9 ? fmt::format("{:.1f} MB", count / 1e6) : fmt::format("{:.2f} GB", count / 1e9);
}

}  // namespace

const shared_level_info& info(shared_level level) {
  static constexpr shared_level_info l2{"l2", "the L2 cache"}, dram{"dram", "DRAM"};
  return level == shared_level::l2 ? l2 : dram;
}

std::vector<excess_traffic> excess_traffic_of(const kernel_result& kernel, const config::machine& machine) {
  const config::memory_peak_parameters& peak = machine.global_memory.peak;
  std::optional<double> dram;
  if (peak.dram_gb_per_second) dram = in_bytes_per_cycle(*peak.dram_gb_per_second, machine);
  std::vector<excess_traffic> found;
  std::optional<double> l2;
  if (peak.l2_bytes_per_cycle) l2 = *peak.l2_bytes_per_cycle / config::sm_cycles_of_memory_cycle(machine);
  add_excess(found, shared_level::l2, kernel.traffic.read_from_l2, l2, kernel.cycles(), machine);
  add_excess(found, shared_level::dram, dram_bytes(kernel.traffic, machine), dram, kernel.cycles(), machine);
  return found;
}

std::string text(const excess_traffic& excess) {
  return fmt::format("implies {} from {}, {:.2f} times the {} of the part: {} take at least {} cycles",
                     rate_text(excess.implied_gb_per_second), info(excess.from).name, excess.factor(), rate_text(excess.peak_gb_per_second),
                     size_text(excess.bytes), excess.least_cycles);
}

}  // namespace tc::accounting
