// SPDX-License-Identifier: Apache-2.0
#include "statistics_document.hpp"

#include <utility>

#include <boost/describe/enum_to_string.hpp>
#include <fmt/format.h>

#include <tc/accounting/energy_account.hpp>
#include <tc/accounting/excess_traffic.hpp>
#include <tc/accounting/run_limits.hpp>
#include <tc/accounting/run_summary.hpp>
#include <tc/config/parameter_writer.hpp>
#include <tc/observe/statistics_json.hpp>

namespace tc::accounting {

namespace {

namespace json = boost::json;

json::array extents(const trace::dim3& size) { return {size.x, size.y, size.z}; }

json::string text(std::string_view characters) { return json::string(characters.data(), characters.size()); }

std::string_view name(run_status status) {
  switch (status) {
    case run_status::finished:
      return "finished";
    case run_status::stuck:
      return "stuck";
    case run_status::cycle_limit:
      return "cycle_limit";
    case run_status::interrupted:
      return "interrupted";
  }
  return {};
}

json::object trace_json(const kernel_result& kernel) {
  return {{"file", kernel.file},          {"kernel", kernel.kernel},        {"arch", text(isa::name(kernel.arch))},
          {"grid", extents(kernel.grid)}, {"block", extents(kernel.block)}, {"cluster", extents(kernel.cluster)},
          {"ctas", kernel.ctas},          {"warps", kernel.warps},          {"instructions", kernel.instructions}};
}

json::object expectation_json(const expectation_result& expectation) {
  json::object entry{{"base", fmt::format("{:#x}", expectation.base)},
                     {"bytes", expectation.bytes},
                     {"mismatches", expectation.mismatches},
                     {"undefined", expectation.undefined}};
  if (expectation.compared < expectation.bytes) entry["compared"] = expectation.compared;
  if (expectation.first)
    entry["first"] = {{"address", fmt::format("{:#x}", expectation.first->address)},
                      {"expected", expectation.first->expected},
                      {"got", expectation.first->got}};
  return entry;
}

json::array expectations_json(const kernel_result& kernel) {
  json::array entries;
  for (const expectation_result& expectation : kernel.expectations) entries.push_back(expectation_json(expectation));
  return entries;
}

json::object addresses_json(const address_counts& addresses) {
  return {{"compared", addresses.compared}, {"unknown", addresses.unknown}, {"different", addresses.different}};
}

json::object kernel_json(const kernel_result& kernel, const config::machine& machine) {
  json::object entry = trace_json(kernel);
  entry["start"] = kernel.start;
  entry["cycles"] = kernel.cycles();
  entry["time_us"] = time_us(kernel.cycles(), machine);
  entry["expect"] = expectations_json(kernel);
  entry["addresses"] = addresses_json(kernel.addresses);
  return entry;
}

/// An entry that belongs to a kernel, and says so if there are several.
json::object entry_of(std::uint32_t kernel, bool several) { return several ? json::object{{"kernel", kernel}} : json::object{}; }

json::array wrong_addresses_json(const run_result& result) {
  const std::vector<std::string> texts = result.address_errors();
  json::array entries;
  for (std::size_t i = 0; i < result.wrong_addresses.size(); ++i) {
    const wrong_address_report& report = result.wrong_addresses[i];
    json::object entry = entry_of(report.kernel, result.kernels.size() > 1);
    entry["line"] = report.line;
    entry["pc"] = fmt::format("{:04x}", report.pc);
    entry["instruction"] = report.instruction;
    entry["cta"] = report.cta;
    entry["warp"] = report.warp;
    entry["lane"] = report.lane;
    entry["computed"] = fmt::format("{:#x}", report.computed);
    entry["traced"] = fmt::format("{:#x}", report.traced);
    entry["addresses"] = report.occurrences;
    entry["text"] = texts[i];
    entries.push_back(std::move(entry));
  }
  return entries;
}

json::array all_expectations(const run_result& result) {
  json::array entries;
  const bool several = result.kernels.size() > 1;
  for (std::size_t k = 0; k < result.kernels.size(); ++k) {
    for (const expectation_result& expectation : result.kernels[k].expectations) {
      json::object entry = entry_of(static_cast<std::uint32_t>(k), several);
      for (auto& member : expectation_json(expectation)) entry[member.key()] = member.value();
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

json::array clock_reads_json(const run_result& result) {
  json::array entries;
  for (const clock_read& read : result.clock_reads) {
    json::object entry = entry_of(read.kernel, result.kernels.size() > 1);
    entry["cta"] = read.cta;
    entry["warp"] = read.warp;
    entry["index"] = read.index;
    entry["pc"] = fmt::format("{:04x}", read.pc);
    entry["cycle"] = read.cycle;
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// Cycles by cause: of all causes, or of those that there are. What was issued comes first, if anything was.
json::object causes_json(const stall_cycles& cycles, bool all) {
  json::object causes;
  for (const links::stall_cause_info& row : links::stall_cause_table)
    if (cycles[row.cause] > 0 || (all && row.cause != links::stall_cause::none)) causes[text(row.key)] = cycles[row.cause];
  return causes;
}

json::array warps_json(const run_result& result) {
  json::array entries;
  for (const warp_result& warp : result.warps) {
    json::object entry = entry_of(warp.kernel, result.kernels.size() > 1);
    entry["cta"] = warp.cta;
    entry["warp"] = warp.warp;
    entry["instructions"] = warp.instructions;
    entry["started"] = warp.started;
    entry["first_issue"] = warp.first_issue;
    entry["last_issue"] = warp.last_issue;
    entry["stalls"] = causes_json(warp.stalls, false);
    entries.push_back(std::move(entry));
  }
  return entries;
}

json::object issue_slots_json(cycle_t cycles) {
  const issue_slot_use use = issue_slots_of(cycles);
  json::object slots{{"slots", use.slots.sum()}, {"issued", use.slots[links::stall_cause::none]}};
  for (auto& cause : causes_json(use.slots, true)) slots[cause.key()] = cause.value();
  return slots;
}

json::object utilisation_json(cycle_t cycles) {
  json::object units;
  const unit_use_collector collected(cycles);
  for (const unit_use& unit : collected.units()) {
    json::object entry{{"busy_cycles", unit.busy_cycles}, {"idle_cycles", unit.idle_cycles}, {"utilisation", unit.utilisation()}};
    if (unit.has_causes) entry["idle"] = causes_json(unit.idle, false);
    units[unit.path] = std::move(entry);
  }
  return units;
}

json::array limits_json(const run_result& result, const config::machine& machine) {
  json::array entries;
  for (const run_limit& limit : limits_of(result, machine)) {
    json::object entry{{"limit", text(limit.info->key)},
                       {"text", text(limit)},
                       {"stalled", limit.stalled},
                       {"alive", limit.alive},
                       {"busy", limit.busy},
                       {"hidden", limit.hidden},
                       {"saving", limit.saving()},
                       {"without_control_codes", limit.info->by_stall_counts}};
    entry["relaxed"] = relaxed_parameters(*limit.info, machine);
    entries.push_back(std::move(entry));
  }
  return entries;
}

json::object shares_json(const std::vector<energy_account::share>& shares) {
  json::object members;
  for (const energy_account::share& share : shares) members[share.name] = share.nanojoules;
  return members;
}

json::object energy_json(const energy_account& account) {
  return {{"total_nj", account.total_nanojoules}, {"by_event", shares_json(account.events)}, {"units", shares_json(account.units)}};
}

json::array lines_json(const std::vector<std::string>& lines) {
  json::array entries;
  for (const std::string& line : lines) entries.emplace_back(line);
  return entries;
}

json::array excess_traffic_json(const run_result& result, const config::machine& machine) {
  json::array entries;
  for (std::size_t k = 0; k < result.kernels.size(); ++k) {
    for (const excess_traffic& excess : excess_traffic_of(result.kernels[k], machine)) {
      json::object entry = entry_of(static_cast<std::uint32_t>(k), result.kernels.size() > 1);
      entry["memory"] = text(info(excess.from).key);
      entry["bytes"] = excess.bytes;
      entry["implied_gb_per_second"] = excess.implied_gb_per_second;
      entry["peak_gb_per_second"] = excess.peak_gb_per_second;
      entry["factor"] = excess.factor();
      entry["least_cycles"] = excess.least_cycles;
      entry["text"] = text(excess);
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

json::object host_json(const run_result& result, const document_context& context) {
  const double seconds = context.host_seconds, rate = seconds > 0 ? static_cast<double>(result.instructions) / seconds : 0.0;
  json::object host{{"seconds", seconds}, {"instructions_per_second", rate}};
  if (!context.host_instruction_set.empty()) host["instruction_set"] = context.host_instruction_set;
  return host;
}

}  // namespace

boost::json::object statistics_document(const run_result& result, const config::machine& machine, const document_context& context) {
  json::object document;
  document["tcsim"] = context.version;
  document["config"] = config::to_json(machine);
  document["hazards"] = boost::describe::enum_to_string(result.hazard_rule, "");
  if (!result.kernels.empty()) document["trace"] = trace_json(result.kernels.front());
  if (result.kernels.size() > 1) {
    json::array& kernels = document["kernels"].emplace_array();
    for (const kernel_result& kernel : result.kernels) kernels.push_back(kernel_json(kernel, machine));
  }
  document["status"] = text(name(result.status));
  if (!result.waiting.empty()) document["waiting"] = lines_json(result.waiting);
  document["cycles"] = result.cycles;
  document["time_us"] = time_us(result.cycles, machine);
  document["instructions"] = result.instructions;
  document["expect"] = all_expectations(result);
  document["addresses"] = addresses_json(result.addresses());
  if (!result.wrong_addresses.empty()) document["wrong_addresses"] = wrong_addresses_json(result);
  document["clock_reads"] = clock_reads_json(result);
  document["warps"] = warps_json(result);
  document["stalls"] = causes_json(result.stalls, true);
  document["issue_slots"] = issue_slots_json(result.cycles);
  document["limits"] = limits_json(result, machine);
  const std::vector<std::string> warnings = result.warnings();
  if (!warnings.empty()) document["warnings"] = lines_json(warnings);
  if (json::array excess = excess_traffic_json(result, machine); !excess.empty()) document["beyond_the_model"] = std::move(excess);
  document["utilisation"] = utilisation_json(result.cycles);
  if (machine.energy) document["energy"] = energy_json(account_energy(machine, result.cycles));
  document["units"] = observe::collected_statistics();
  document["host"] = host_json(result, context);
  return document;
}

}  // namespace tc::accounting
