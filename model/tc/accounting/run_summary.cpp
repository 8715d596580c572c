// SPDX-License-Identifier: Apache-2.0
#include "run_summary.hpp"

#include <algorithm>

#include <tc/accounting/statistic_sum.hpp>

namespace tc::accounting {

namespace {

std::vector<run_summary::cycle_share> shares_of(const stall_cycles& cycles) {
  std::vector<run_summary::cycle_share> shares;
  const auto total = static_cast<double>(cycles.sum());
  for (const links::stall_cause_info& row : links::stall_cause_table)
    if (const std::uint64_t share = cycles[row.cause]; share > 0)
      shares.push_back({row.cause, share, 100.0 * static_cast<double>(share) / total});
  const auto is_stall = [](const auto& share) { return share.cause != links::stall_cause::none; };
  std::stable_sort(std::find_if(shares.begin(), shares.end(), is_stall), shares.end(),
                   [](const auto& x, const auto& y) { return x.cycles > y.cycles; });
  return shares;
}

std::uint64_t instructions_of(const std::vector<warp_result>& warps) {
  std::uint64_t issued = 0;
  for (const warp_result& warp : warps) issued += warp.instructions;
  return issued;
}

}  // namespace

issue_slot_use issue_slots_of(cycle_t cycles) {
  const statistic_sum issued("scheduler", "issued"), empty("scheduler", "empty");
  issue_slot_use use;
  use.schedulers = issued.objects();
  use.slots[links::stall_cause::none] = issued.sum();
  for (const links::stall_cause_info& row : links::stall_cause_table)
    if (row.cause != links::stall_cause::none) use.slots[row.cause] = empty.part(row.key);
  // Schedulers count from their first launch to their last exit; before and after they have no warp.
  use.slots[links::stall_cause::no_warp] += cycles * use.schedulers - use.slots.sum();
  return use;
}

run_summary summarize(const run_result& result, const config::machine& machine) {
  run_summary summary;
  const issue_slot_use slots = issue_slots_of(result.cycles);
  summary.sub_cores_used = slots.schedulers;
  summary.tensor_busy_cycles = statistic_sum("tensor", "busy_cycles").sum();
  if (machine.sm.warpgroup.is_there()) summary.tensor_busy_cycles += statistic_sum("warpgroup", "busy_cycles").sum();
  summary.units = unit_use_collector(result.cycles).kinds();
  summary.tensor_sub_cores = slots.schedulers;
  for (const unit_kind_use& kind : summary.units) {
    if (kind.kind != "tensor_engine.matrices") continue;  // an SM's multiplies in all its sub-cores at once
    summary.tensor_busy_cycles += kind.busy_cycles * machine.sm.sub_cores;
    summary.tensor_sub_cores = std::max(summary.tensor_sub_cores, kind.units * machine.sm.sub_cores);
  }
  const double sub_core_cycles = static_cast<double>(result.cycles) * summary.tensor_sub_cores;
  if (sub_core_cycles > 0) summary.tensor_utilisation = static_cast<double>(summary.tensor_busy_cycles) / sub_core_cycles;
  if (result.cycles > 0) summary.instructions_per_cycle = static_cast<double>(result.instructions) / static_cast<double>(result.cycles);
  summary.time_us = time_us(result.cycles, machine);
  stall_cycles warp_cycles = result.stalls;
  warp_cycles[links::stall_cause::none] = instructions_of(result.warps);
  summary.warp_cycles = shares_of(warp_cycles);
  summary.issue_slots = shares_of(slots.slots);
  summary.limits = limits_of(result, machine);
  if (machine.energy) summary.energy = account_energy(machine, result.cycles);
  return summary;
}

double time_us(cycle_t cycles, const config::machine& machine) { return static_cast<double>(cycles) / machine.clock_mhz; }

}  // namespace tc::accounting
