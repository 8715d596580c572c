#include <algorithm>
#include <numeric>
#include <string>

#include <tc/device/run_summary.hpp>
#include <tc/device/statistic_sum.hpp>

namespace tc::device {

namespace {

std::vector<run_summary::cycle_share> shares_of(std::uint64_t issued, const stall_cycles& stalls) {
  std::vector<run_summary::cycle_share> shares;
  for (unsigned cause = 0; cause < subcore::stall_causes; ++cause)
    if (stalls[cause] > 0) shares.push_back({subcore::stall_cause_names[cause], stalls[cause], 0});
  std::stable_sort(shares.begin(), shares.end(), [](const auto& x, const auto& y) { return x.cycles > y.cycles; });
  if (issued > 0) shares.insert(shares.begin(), {"issued", issued, 0});

  std::uint64_t total = 0;
  for (const auto& share : shares) total += share.cycles;
  for (auto& share : shares) share.percent = 100.0 * static_cast<double>(share.cycles) / static_cast<double>(total);
  return shares;
}

std::uint64_t instructions_of(const std::vector<warp_result>& warps) {
  std::uint64_t issued = 0;
  for (const warp_result& warp : warps) issued += warp.instructions;
  return issued;
}

}  // namespace

std::uint64_t issue_slot_use::slots() const { return std::accumulate(empty.begin(), empty.end(), issued); }

issue_slot_use issue_slots_of(cycle_t cycles) {
  const statistic_sum issued("scheduler", "issued");
  issue_slot_use use{issued.objects(), issued.sum(), {}};
  for (unsigned cause = 1; cause < subcore::stall_causes; ++cause)
    use.empty[cause] = statistic_sum("scheduler", "empty_" + std::string(subcore::stall_cause_names[cause])).sum();
  // Schedulers count from their first launch to their last exit; before and after they have no warp.
  std::uint64_t& no_warp = use.empty[static_cast<unsigned>(subcore::stall_cause::no_warp)];
  no_warp = 0;
  no_warp = cycles * use.schedulers - use.slots();
  return use;
}

run_summary summarize(const run_result& result, const config::machine& machine) {
  run_summary summary;
  const issue_slot_use slots = issue_slots_of(result.cycles);
  summary.sub_cores_used = slots.schedulers;
  summary.tensor_busy_cycles = statistic_sum("tensor", "busy_cycles").sum();
  const double sub_core_cycles = static_cast<double>(result.cycles) * summary.sub_cores_used;
  if (sub_core_cycles > 0) summary.tensor_utilisation = static_cast<double>(summary.tensor_busy_cycles) / sub_core_cycles;
  if (result.cycles > 0) summary.instructions_per_cycle = static_cast<double>(result.instructions) / static_cast<double>(result.cycles);
  summary.time_us = time_us(result.cycles, machine);
  summary.warp_cycles = shares_of(instructions_of(result.warps), result.stalls);
  summary.issue_slots = shares_of(slots.issued, slots.empty);
  summary.units = unit_use_collector(result.cycles).kinds();
  return summary;
}

double time_us(cycle_t cycles, const config::machine& machine) { return static_cast<double>(cycles) / machine.clock_mhz; }

}  // namespace tc::device
