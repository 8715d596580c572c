// SPDX-License-Identifier: Apache-2.0
#include "run_result.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/links/instruction_protocol.hpp>

namespace tc::accounting {

namespace {

/// How often, and when for the first time.
template <class Report>
std::string times(const Report& report) {
  return report.occurrences == 1 ? fmt::format(" (cycle {})", report.cycle)
                                 : fmt::format(" ({} times, first in cycle {})", report.occurrences, report.cycle);
}

std::string text(const undefined_value_report& report, const std::string& file) {
  const std::string cause =
      report.producer.empty() ? "nothing has written" : fmt::format("{} in line {} left undefined", report.producer, report.producer_line);
  return fmt::format("{}:{}: warp {} of CTA {} at /*{:04x}*/ {}: takes a value that {}{}", file, report.consumer_line, report.warp,
                     report.cta, report.consumer_pc, report.consumer, cause, times(report));
}

std::string text(const hazard_report& report, const std::string& file) {
  const std::string early = report.cycles_early == links::unknown_cycle ? ""
                            : report.cycles_early == 1                  ? " 1 cycle"
                                                                        : fmt::format(" {} cycles", report.cycles_early);
  const std::string where = fmt::format("{}:{}: warp {} of CTA {} at /*{:04x}*/ {}", file, report.consumer_line, report.warp, report.cta,
                                        report.consumer_pc, report.consumer);
  switch (report.kind) {
    case links::early_kind::overwritten_before_read:
      return fmt::format("{}: writes {} without a wait for the dependence counter of what reads it{}", where, report.reg, times(report));
    case links::early_kind::overwritten_without_wait:
    case links::early_kind::read_without_wait:
      return fmt::format("{}: {} {} without a wait for the dependence counter of what wrote it before{}", where,
                         report.kind == links::early_kind::read_without_wait ? "reads" : "writes", report.reg, times(report));
    case links::early_kind::by_stall_counts:
      return fmt::format("{}: could read {}{} before it is written, had nothing but stall counts held it{}", where, report.reg, early,
                         times(report));
    case links::early_kind::happened:
      break;
  }
  return fmt::format("{}: reads {}{} before it is written{}", where, report.reg, early, times(report));
}

std::string text(const ordering_report& report, const std::string& file) {
  return fmt::format("{}:{}: warp {} of CTA {}: {}: {}{}", file, report.line, report.warp, report.cta, report.instruction, report.what,
                     times(report));
}

std::string text(const wrong_address_report& report, const std::string& file) {
  const std::string lanes = report.occurrences == 1 ? "" : fmt::format("; {} addresses in all", report.occurrences);
  return fmt::format("{}:{}: warp {} of CTA {} at /*{:04x}*/ {}: the registers of lane {} make {:#x}, the trace has {:#x} (cycle {}{})",
                     file, report.line, report.warp, report.cta, report.pc, report.instruction, report.lane, report.computed, report.traced,
                     report.cycle, lanes);
}

std::uint64_t sum_of(const run_result& result, std::uint64_t expectation_result::*count) {
  std::uint64_t sum = 0;
  for (const kernel_result& kernel : result.kernels)
    for (const expectation_result& expectation : kernel.expectations) sum += expectation.*count;
  return sum;
}

}  // namespace

void hazard_report::add(const hazard_report& more) {
  if (more.kind < kind) return;
  if (more.kind > kind) cycles_early = occurrences = 0;
  kind = more.kind;
  cycles_early = std::max(cycles_early, more.cycles_early);
  occurrences += more.occurrences;
}

std::uint64_t run_result::mismatches() const { return sum_of(*this, &expectation_result::mismatches); }

std::uint64_t run_result::undefined_bytes() const { return sum_of(*this, &expectation_result::undefined); }

address_counts run_result::addresses() const {
  address_counts sum;
  for (const kernel_result& kernel : kernels) sum += kernel.addresses;
  return sum;
}

std::vector<std::string> run_result::address_errors() const {
  std::vector<std::string> lines;
  for (const auto& report : wrong_addresses) lines.push_back(text(report, kernels[report.kernel].file));
  return lines;
}

std::vector<std::string> run_result::warnings() const {
  std::vector<std::string> lines;
  for (const auto& report : undefined_values) lines.push_back(text(report, kernels[report.kernel].file));
  for (const auto& report : hazards) lines.push_back(text(report, kernels[report.kernel].file));
  for (const auto& report : ordering_hazards) lines.push_back(text(report, kernels[report.kernel].file));
  return lines;
}

}  // namespace tc::accounting
