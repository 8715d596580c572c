#include <algorithm>

#include <tc/device/run_summary.hpp>
#include <tc/device/statistic_sum.hpp>

namespace tc::device {

namespace {

std::vector<run_summary::warp_cycle_share> warp_cycle_shares(const run_result& result) {
  std::vector<run_summary::warp_cycle_share> shares;
  for (unsigned cause = 0; cause < subcore::stall_causes; ++cause)
    if (result.stalls[cause] > 0) shares.push_back({subcore::stall_cause_names[cause], result.stalls[cause], 0});
  std::stable_sort(shares.begin(), shares.end(), [](const auto& x, const auto& y) { return x.cycles > y.cycles; });
  std::uint64_t issued = 0;
  for (const warp_result& warp : result.warps) issued += warp.instructions;
  if (issued > 0) shares.insert(shares.begin(), {"issued", issued, 0});

  std::uint64_t total = 0;
  for (const auto& share : shares) total += share.cycles;
  for (auto& share : shares) share.percent = 100.0 * static_cast<double>(share.cycles) / static_cast<double>(total);
  return shares;
}

}  // namespace

run_summary summarize(const run_result& result, const config::machine& machine) {
  run_summary summary;
  summary.sub_cores_used = statistic_sum("scheduler", "issued").objects();
  summary.tensor_busy_cycles = statistic_sum("tensor", "busy_cycles").sum();
  const double sub_core_cycles = static_cast<double>(result.cycles) * summary.sub_cores_used;
  if (sub_core_cycles > 0) summary.tensor_utilisation = static_cast<double>(summary.tensor_busy_cycles) / sub_core_cycles;
  if (result.cycles > 0) summary.instructions_per_cycle = static_cast<double>(result.instructions) / static_cast<double>(result.cycles);
  summary.time_us = time_us(result.cycles, machine);
  summary.warp_cycles = warp_cycle_shares(result);
  return summary;
}

double time_us(cycle_t cycles, const config::machine& machine) { return static_cast<double>(cycles) / machine.clock_mhz; }

}  // namespace tc::device
