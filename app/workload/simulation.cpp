// SPDX-License-Identifier: Apache-2.0
#include "simulation.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/accounting/statistics_document.hpp>
#include <tc/config/presets.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/parallel/shared_run.hpp>
#include <tc/version.hpp>

#include "wording.hpp"

namespace tcsim {

namespace {

namespace parallel = tc::parallel;
namespace accounting = tc::accounting;
namespace device = tc::device;

/// Why a run has no result, and who waits for whom. Warps that wait tend to wait for the same.
workload_outcome stopped(const accounting::run_result& result, std::optional<std::uint64_t> max_cycles) {
  constexpr std::size_t most_lines = 8;
  std::vector<std::string> lines(result.waiting.begin(),
                                 result.waiting.begin() + static_cast<std::ptrdiff_t>(std::min(most_lines, result.waiting.size())));
  if (result.waiting.size() > most_lines) lines.push_back(fmt::format("and {} more", result.waiting.size() - most_lines));
  const std::string why = result.status == accounting::run_status::cycle_limit
                              ? cycle_limit_text("max_cycles", max_cycles.value_or(result.cycles), result.cycles)
                              : fmt::format("the model is stuck at cycle {}", result.cycles);
  return {exit_status::model_stopped, fmt::format("{}: {}", why, fmt::join(lines, "; "))};
}

bool is_of_memory(std::string_view type) {
  return type == tc::fabric::report::load_store_memory || type == tc::fabric::report::bulk_copy_memory;
}

/// What the trace lacks where global memory has no bytes at an address, and which it gives; empty for other reports.
std::string missing_memory_text(const device::gpu& gpu, std::string_view type, std::string_view message) {
  const auto says = [message](std::string_view words) { return message.find(words) != std::string_view::npos; };
  if (!is_of_memory(type) || !says("global memory") || !says("TLM_ADDRESS_ERROR")) return "";
  constexpr std::size_t most_regions = 8;
  const std::vector<device::memory_region> regions = gpu.global_regions();
  std::vector<std::string> given;
  for (const device::memory_region& region : regions)
    if (given.size() < most_regions) given.push_back(fmt::format("{:#x} to {:#x}", region.base, region.base + region.bytes));
  if (regions.size() > most_regions) given.push_back(fmt::format("{} others", regions.size() - most_regions));
  return fmt::format("; no `memory` line of the trace gives these bytes: its head needs one, such as `memory BASE BYTES zero`. It gives {}",
                     given.empty() ? "none" : fmt::format("{}", fmt::join(given, ", ")));
}

/// Runs a machine. What is wrong with a trace is a mistake of the user's; an access outside of memory is told with the names of the traces.
template <class Run>
auto with_traces(const device::gpu& gpu, Run run) {
  try {
    return run();
  } catch (const sc_core::sc_report& report) {
    const std::string_view type = report.get_msg_type();
    if (type == tc::fabric::report::trace_content) throw usage_error(report.get_msg());
    const std::string missing = missing_memory_text(gpu, type, report.get_msg());
    if (missing.empty() && type != tc::fabric::report::load_store_memory && type != tc::fabric::report::load_store_window) throw;
    std::vector<std::string> traces;
    for (const accounting::kernel_result& kernel : gpu.result().kernels) traces.push_back(kernel.file);
    throw usage_error(fmt::format("{}: {}{}", fmt::join(traces, ", "), report.get_msg(), missing));
  }
}

}  // namespace

std::string cycle_limit_text(std::string_view limit, std::uint64_t max_cycles, std::uint64_t last) {
  const std::string ended = fmt::format("{} {} ended the run", limit, max_cycles);
  return last >= max_cycles ? ended : fmt::format("{}; the last cycle in which anything happened is {}", ended, last);
}

device::run_options run_options_for(const tc::config::machine& machine, bool data, std::optional<std::uint64_t> max_cycles) {
  device::run_options options;
  options.data = data;
  options.timing_of_preset = tc::config::has_preset_timing(machine);
  options.max_cycles = max_cycles;
  options.is_alone = true;
  options.period = tc::device::clock_period(machine.clock_mhz);
  return options;
}

accounting::run_result run_to_end(device::gpu& gpu, device::run_pauses* pauses) {
  return with_traces(gpu, [&] { return gpu.run(pauses); });
}

parallel::share_result share_to_end(device::gpu& gpu, const device::sm_share& share, device::run_pauses* pauses) {
  return with_traces(gpu, [&] { return tc::parallel::run_share(gpu, share, pauses); });
}

workload_outcome simulate(const std::vector<device::kernel_source>& kernels, const tc::config::machine& machine,
                          const device::run_options& options, const figures_of_run& figures) {
  device::gpu gpu("gpu", machine, kernels, options);
  const accounting::run_result result = run_to_end(gpu);
  if (result.status != accounting::run_status::finished) return stopped(result, options.max_cycles);

  workload_outcome outcome;
  outcome.statistics = accounting::statistics_document(result, machine, {TC_VERSION_STRING, 0});
  outcome.statistics.erase("host");
  outcome.statistics["workload"] = figures(result);
  if (const std::uint64_t wrong = result.mismatches(); wrong > 0) {
    outcome.status = exit_status::check_failed;
    outcome.message = fmt::format("{} of the results {} not as expected", counted(wrong, "byte"), wrong == 1 ? "is" : "are");
  }
  if (const accounting::address_counts addresses = result.addresses(); addresses.different > 0) {
    outcome.status = exit_status::check_failed;
    outcome.message += fmt::format("{}{} of {} {} not what the registers make, the first: {}", outcome.message.empty() ? "" : "; ",
                                   addresses.different, counted(addresses.compared, "address", "addresses"),
                                   addresses.different == 1 ? "is" : "are", result.address_errors().front());
  }
  return outcome;
}

}  // namespace tcsim
