// SPDX-License-Identifier: Apache-2.0
#include "run_report.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string_view>

#include <fmt/format.h>

#include <tc/accounting/excess_traffic.hpp>

#include "text_table.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

using tc::accounting::kernel_result;
using tc::accounting::run_result;
using tc::accounting::run_summary;

std::string duration(double microseconds) {
  return microseconds < 1000 ? fmt::format("{:.2f} us", microseconds) : fmt::format("{:.2f} ms", microseconds / 1000);
}

/// What is to be known of bytes that were compared and are undefined; empty: none is.
std::string undefined_text(std::uint64_t undefined, const std::string& compared) {
  if (undefined == 0) return "";
  const bool is_one = undefined == 1;
  return fmt::format("{} of {} {} undefined: {} what the model did not compute", undefined, compared, is_one ? "is" : "are",
                     is_one ? "it holds" : "they hold");
}

/// "1 address is", "3 of 128 addresses are".
std::string addresses_that_differ(const tc::accounting::address_counts& addresses) {
  return fmt::format("{} of {} {}", addresses.different, counted(addresses.compared, "address", "addresses"),
                     addresses.different == 1 ? "is" : "are");
}

/// Whether the outputs are the expected ones.
std::string verdict_on_bytes(const kernel_result& kernel) {
  if (kernel.expectations.empty()) return "not compared";
  std::uint64_t bytes = 0, compared = 0, mismatches = 0, undefined = 0;
  const tc::accounting::expectation_result* wrong = nullptr;
  for (const auto& expectation : kernel.expectations) {
    bytes += expectation.bytes;
    compared += expectation.compared;
    mismatches += expectation.mismatches;
    undefined += expectation.undefined;
    if (wrong == nullptr && expectation.first) wrong = &expectation;
  }
  const std::string what = compared == bytes ? counted(bytes, "byte") : fmt::format("{} sampled of {}", compared, counted(bytes, "byte"));
  const std::string also = undefined_text(undefined, what);
  if (wrong == nullptr)
    return also.empty() ? fmt::format("exact: {} as expected, bit for bit", what) : fmt::format("as expected, but {}", also);
  return fmt::format("WRONG: {} of {} differ; the first is {:#04x} at {:#x}, expected {:#04x}{}{}", mismatches, what, wrong->first->got,
                     wrong->first->address, wrong->first->expected, also.empty() ? "" : "; ", also);
}

/// Outputs and addresses: no run is exact that accesses what its registers do not point to.
std::string verdict_of(const kernel_result& kernel) {
  if (!kernel.finished) return "not finished";
  std::string bytes = verdict_on_bytes(kernel);
  if (kernel.addresses.different == 0) return bytes;
  return fmt::format("WRONG: {} not what the registers make; bytes: {}", addresses_that_differ(kernel.addresses), bytes);
}

/// Empty if there are none to compare.
std::string addresses_text(const tc::accounting::address_counts& addresses) {
  if (addresses.compared + addresses.unknown == 0) return "";
  const std::string different = addresses.different == 0 ? "" : fmt::format(", {} DIFFERENT", addresses.different);
  return fmt::format("{} compared{}, {} unknown", addresses.compared, different, addresses.unknown);
}

void add_kernel(text_table& table, const kernel_result& kernel, const tc::config::machine& machine) {
  table.add({"kernel", fmt::format("{} ({}), {}, {}", kernel.kernel, tc::isa::name(kernel.arch), counted(kernel.ctas, "CTA"),
                                   counted(kernel.warps, "warp"))});
  table.add({"result", verdict_of(kernel)});
  if (const std::string addresses = addresses_text(kernel.addresses); !addresses.empty()) table.add({"addresses", addresses});
  table.add({"time", fmt::format("{}, {} at {:g} MHz", counted(kernel.cycles(), "cycle"),
                                 duration(tc::accounting::time_us(kernel.cycles(), machine)), machine.clock_mhz)});
  for (const auto& excess : tc::accounting::excess_traffic_of(kernel, machine)) table.add({"beyond the model", text(excess)});
}

std::string bar(double percent) { return std::string(static_cast<std::size_t>(std::lround(percent / 2)), '#'); }

text_table table_of_shares() { return text_table({text_table::align::right, text_table::align::left, text_table::align::left}); }

std::string percent_text(double percent) { return fmt::format("{:.1f} %", percent); }

/// A line for each share, below a headline with the sum of all; nothing if there are none.
std::string shares_text(std::string_view headline, std::string_view what, const std::vector<run_summary::cycle_share>& shares) {
  text_table table = table_of_shares();
  std::uint64_t total = 0;
  for (const auto& share : shares) {
    total += share.cycles;
    table.add({percent_text(share.percent), std::string(tc::links::info(share.cause).text), bar(share.percent)});
  }
  if (shares.empty()) return "";
  return fmt::format("\n{} {}:\n", headline, counted(total, what)) + table.text(2);
}

/// A line for each cause that left an execution unit idle, the first with its name: shares of all its cycles.
void add_idle(text_table& table, const tc::accounting::unit_kind_use& unit) {
  const double cycles = static_cast<double>(unit.busy_cycles) / unit.utilisation;
  std::string_view name = unit.kind;
  for (const tc::links::stall_cause_info& row : tc::links::stall_cause_table) {
    if (unit.idle[row.cause] == 0) continue;
    table.add({std::string(name), percent_text(100 * static_cast<double>(unit.idle[row.cause]) / cycles), std::string(row.text)});
    name = "";
  }
}

/// The total and the events with the largest shares of it.
std::string energy_text(const tc::accounting::energy_account& energy) {
  constexpr std::size_t shown = 3;
  auto events = energy.events;
  std::stable_sort(events.begin(), events.end(), [](const auto& x, const auto& y) { return x.nanojoules > y.nanojoules; });
  std::string text = fmt::format("{:.6g} nJ", energy.total_nanojoules);
  for (std::size_t i = 0; i < std::min(shown, events.size()) && events[i].nanojoules > 0; ++i)
    text += fmt::format("{} {:.1f} % {}", i == 0 ? ":" : ",", 100 * events[i].nanojoules / energy.total_nanojoules, events[i].name);
  return text;
}

/// The first of some lines below a headline; nothing if there are none.
std::string first_lines(const std::string& headline, const std::vector<std::string>& lines) {
  constexpr std::size_t shown = 10;
  if (lines.empty()) return "";
  std::string text = fmt::format("\n{}:\n", headline);
  for (std::size_t i = 0; i < std::min(shown, lines.size()); ++i) text += "  " + lines[i] + '\n';
  if (lines.size() > shown) text += fmt::format("  and {} more, all of them in the file of --stats\n", lines.size() - shown);
  return text;
}

}  // namespace

std::string report_of(const run_result& result, const run_summary& summary, const tc::config::machine& machine) {
  text_table table({text_table::align::left, text_table::align::left});
  if (!summary.limits.empty()) table.add({"limit", text(summary.limits.front())});
  for (const kernel_result& kernel : result.kernels) add_kernel(table, kernel, machine);
  table.add({"instructions", fmt::format("{}, {:.2f} per cycle", result.instructions, summary.instructions_per_cycle)});
  table.add({"tensor cores",
             fmt::format("{:.1f} % busy, in {}", 100 * summary.tensor_utilisation, counted(summary.tensor_sub_cores, "sub-core"))});
  if (summary.energy) table.add({"energy", energy_text(*summary.energy)});
  return table.text() + shares_text("Where the warps spent their", "cycle", summary.warp_cycles) + finding_report_of(result);
}

std::string finding_report_of(const run_result& result) {
  const std::vector<std::string> errors = result.address_errors(), warnings = result.warnings();
  return first_lines(fmt::format("{} with addresses that their registers do not make", counted(errors.size(), "instruction")), errors) +
         first_lines(counted(warnings.size(), "warning"), warnings);
}

std::string excess_report_of(const run_result& result, const tc::config::machine& machine) {
  std::string lines;
  for (const kernel_result& kernel : result.kernels)
    for (const auto& excess : tc::accounting::excess_traffic_of(kernel, machine))
      lines += fmt::format("  {} {}\n", kernel.kernel, text(excess));
  return lines.empty() ? "" : "\nBeyond the model, which does not limit bandwidths: cycles that silicon cannot reach\n" + lines;
}

void print_findings(const run_result& result) {
  for (const std::string& error : result.address_errors()) std::cerr << "tcsim: error: " << error << '\n';
  for (const std::string& warning : result.warnings()) std::cerr << "tcsim: warning: " << warning << '\n';
}

std::string unit_report_of(const run_summary& summary) {
  text_table table = table_of_shares();
  for (const auto& unit : summary.units) {
    const double percent = 100 * unit.utilisation;
    table.add({percent_text(percent), unit.units == 1 ? unit.kind : fmt::format("{}, each of {}", unit.kind, unit.units), bar(percent)});
  }
  text_table idle({text_table::align::left, text_table::align::right, text_table::align::left});
  for (const auto& unit : summary.units) add_idle(idle, unit);
  return shares_text("What became of the schedulers'", "issue slot", summary.issue_slots) + "\nHow busy the units were:\n" + table.text(2) +
         "\nWhat became of the issue slots while units were idle:\n" + idle.text(2);
}

bool has_summary(const run_result& result) {
  return result.status == tc::accounting::run_status::finished || result.status == tc::accounting::run_status::interrupted;
}

std::string product_verdict(std::uint64_t mismatches, std::uint64_t undefined, std::uint64_t wrong_addresses) {
  if (wrong_addresses > 0 && mismatches == 0) return fmt::format("WRONG: {} differ", counted(wrong_addresses, "address", "addresses"));
  if (mismatches > 0) return fmt::format("WRONG: {} bytes differ", mismatches);
  return undefined == 0 ? "exact" : fmt::format("as expected, but {} undefined", counted(undefined, "byte"));
}

exit_status verdict_on(const run_result& result, bool strict) {
  const bool is_doubtful = result.undefined_bytes() > 0 || !result.warnings().empty();
  const bool failed = result.mismatches() > 0 || result.addresses().different > 0 || (strict && is_doubtful);
  return failed ? exit_status::check_failed : exit_status::done;
}

}  // namespace tcsim
