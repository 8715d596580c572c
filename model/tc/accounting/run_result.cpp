// SPDX-License-Identifier: Apache-2.0
#include "run_result.hpp"

#include <fmt/format.h>

namespace tc::accounting {

namespace {

std::string times(std::uint64_t occurrences) { return occurrences == 1 ? "" : fmt::format(" ({} times)", occurrences); }

std::string text(const undefined_value_report& report, const std::string& file) {
  const std::string cause =
      report.producer.empty() ? "nothing has written" : fmt::format("{} in line {} left undefined", report.producer, report.producer_line);
  return fmt::format("{}:{}: warp {} of CTA {} at /*{:04x}*/ {}: takes a value that {}{}", file, report.consumer_line, report.warp,
                     report.cta, report.consumer_pc, report.consumer, cause, times(report.occurrences));
}

std::string text(const hazard_report& report, const std::string& file) {
  return fmt::format("{}:{}: warp {} of CTA {} at /*{:04x}*/ {}: reads {} {} cycles before it is written{}", file, report.consumer_line,
                     report.warp, report.cta, report.consumer_pc, report.consumer, report.reg, report.cycles_early,
                     times(report.occurrences));
}

std::string text(const ordering_report& report, const std::string& file) {
  return fmt::format("{}:{}: warp {} of CTA {}: {}: {}{}", file, report.line, report.warp, report.cta, report.instruction, report.what,
                     times(report.occurrences));
}

}  // namespace

std::uint64_t run_result::mismatches() const {
  std::uint64_t sum = 0;
  for (const kernel_result& kernel : kernels)
    for (const expectation_result& expectation : kernel.expectations) sum += expectation.mismatches;
  return sum;
}

std::vector<std::string> run_result::warnings() const {
  std::vector<std::string> lines;
  for (const auto& report : undefined_values) lines.push_back(text(report, kernels[report.kernel].file));
  for (const auto& report : hazards) lines.push_back(text(report, kernels[report.kernel].file));
  for (const auto& report : ordering_hazards) lines.push_back(text(report, kernels[report.kernel].file));
  return lines;
}

}  // namespace tc::accounting
