// SPDX-License-Identifier: Apache-2.0
#include "run_recorder.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include <fmt/format.h>

namespace tc::accounting {

namespace {

std::string register_name(const isa::register_use& use) {
  switch (use.file) {
    case isa::register_file::uniform:
      return fmt::format("UR{}", use.index);
    case isa::register_file::predicate:
      return fmt::format("P{}", use.index);
    case isa::register_file::uniform_predicate:
      return fmt::format("UP{}", use.index);
    default:
      return fmt::format("R{}", use.index);
  }
}

void set_origin(first_occurrence& report, const warp::warp_context& warp, const isa::instruction* subject, cycle_t cycle) {
  report.kernel = warp.kernel;
  report.cta = warp.cta;
  report.warp = warp.warp_in_cta;
  report.subject = subject;
  report.cycle = cycle;
}

/// What every report says about the instruction that takes a value.
template <class Report>
void set_consumer(Report& report, const warp::warp_step& consumer) {
  report.consumer = consumer.code->text;
  report.consumer_pc = consumer.pc;
  report.consumer_line = consumer.line;
}

/// In the order in which they first occurred.
template <class Report>
std::vector<Report> in_order(std::vector<Report> reports) {
  std::stable_sort(reports.begin(), reports.end(), [](const Report& x, const Report& y) { return x.is_before(y); });
  return reports;
}

}  // namespace

void run_recorder::clock_read(const links::warp_instruction& reader, cycle_t cycle) {
  const warp::warp_context& warp = *reader.warp;
  clock_reads_.push_back({warp.kernel, warp.cta, warp.warp_in_cta, 0, reader.id, reader.step.pc, cycle});
}

template <class Report>
bool run_recorder::is_first(const Report& report, bool is_new, const warp::warp_context& warp) const {
  if (is_new) return true;
  return report.cycle == clock_.cycle() &&
         std::tie(warp.kernel, warp.cta, warp.warp_in_cta) < std::tie(report.kernel, report.cta, report.warp);
}

void run_recorder::undefined_value(const links::warp_instruction& consumer, const links::value_origin& origin) {
  const isa::instruction* culprit = origin.code != nullptr ? origin.code : consumer.step.code;
  const auto [found, is_new] = undefined_value_of_.emplace(key{culprit, origin.code != nullptr}, undefined_values_.size());
  if (is_new) undefined_values_.emplace_back();
  undefined_value_report& report = undefined_values_[found->second];
  if (is_first(report, is_new, *consumer.warp)) {
    set_origin(report, *consumer.warp, culprit, clock_.cycle());
    set_consumer(report, consumer.step);
    if (origin.code != nullptr) {
      report.producer = origin.code->text;
      report.producer_line = origin.line;
    }
  }
  ++report.occurrences;
}

/// Kernels run one after the other: it is mostly the last one.
address_counts& run_recorder::counts_of(std::uint32_t kernel) {
  const auto found = std::find_if(addresses_.rbegin(), addresses_.rend(), [kernel](const auto& each) { return each.first == kernel; });
  return found != addresses_.rend() ? found->second : addresses_.emplace_back(kernel, address_counts{}).second;
}

void run_recorder::addresses_compared(const links::warp_instruction& accessor, const links::address_evidence& evidence) {
  const warp::warp_context& warp = *accessor.warp;
  const auto lanes = [](std::uint32_t mask) { return static_cast<std::uint64_t>(__builtin_popcount(mask)); };
  counts_of(warp.kernel) += {lanes(evidence.compared), lanes(evidence.unknown), lanes(evidence.different)};
  if (evidence.different == 0) return;
  const isa::instruction* const code = accessor.step.code;
  const auto [found, is_new] = wrong_address_of_.emplace(code, wrong_addresses_.size());
  if (is_new) wrong_addresses_.emplace_back().instruction = code->text;
  wrong_address_report& report = wrong_addresses_[found->second];
  if (is_first(report, is_new, warp)) {
    set_origin(report, warp, code, clock_.cycle());
    report.pc = accessor.step.pc;
    report.line = accessor.step.line;
    report.lane = static_cast<std::uint32_t>(__builtin_ctz(evidence.different));
    report.computed = evidence.computed;
    report.traced = accessor.step.addresses[report.lane];
  }
  report.occurrences += lanes(evidence.different);
}

/// A read that was early counts for more than one that could have been.
void run_recorder::register_hazard(const warp::warp_context& warp, const warp::warp_step& consumer, const links::early_read& read) {
  const unsigned reg = static_cast<unsigned>(read.use->file) << 8 | read.use->index;
  const auto [found, is_new] = hazard_of_.emplace(key{consumer.code, reg}, hazards_.size());
  if (is_new) hazards_.emplace_back().reg = register_name(*read.use);
  hazard_report& report = hazards_[found->second];
  if (read.kind > report.kind || (read.kind == report.kind && is_first(report, is_new, warp))) {
    set_origin(report, warp, consumer.code, clock_.cycle());
    set_consumer(report, consumer);
  }
  hazard_report seen;
  seen.cycles_early = read.cycles;
  seen.kind = read.kind;
  seen.occurrences = 1;
  report.add(seen);
}

void run_recorder::ordering_hazard(const links::warp_instruction& instruction, const std::string& what) {
  ordering_hazard({instruction.warp, instruction.step.code, instruction.step.line}, what);
}

void run_recorder::unordered_read(const links::asynchronous_origin& reader, fabric::proxy_hazard hazard, std::uint64_t address) {
  ordering_hazard(
      reader, hazard == fabric::proxy_hazard::unfenced
                  ? fmt::format("reads shared memory that a warp wrote, from {:#x} on, without a fence.proxy.async between", address)
                  : fmt::format("reads shared memory that a bulk copy writes, from {:#x} on, before anybody has waited for it", address));
}

void run_recorder::undefined_read(const links::asynchronous_origin& reader, std::uint64_t address) {
  ordering_hazard(reader, fmt::format("reads shared memory that nothing has written, from {:#x} on", address));
}

void run_recorder::ordering_hazard(const links::asynchronous_origin& instruction, const std::string& what) {
  const auto [found, is_new] = ordering_hazard_of_.emplace(std::pair{instruction.code, what}, ordering_hazards_.size());
  if (is_new) ordering_hazards_.emplace_back().what = what;
  ordering_report& report = ordering_hazards_[found->second];
  if (is_first(report, is_new, *instruction.warp)) {
    set_origin(report, *instruction.warp, instruction.code, clock_.cycle());
    report.instruction = instruction.code->text;
    report.line = instruction.line;
  }
  ++report.occurrences;
}

void run_recorder::warp_finished(const warp::warp_context& warp, const links::warp_accounting& accounting) {
  [[maybe_unused]] const std::uint64_t accounted = accounting.instructions + accounting.stalled.sum();
  stalls_ += accounting.stalled;
  const bool issued = accounting.instructions > 0;
  warps_.push_back({warp.kernel, warp.cta, warp.warp_in_cta, accounting.instructions, accounting.started,
                    issued ? accounting.first_issue : accounting.started, issued ? accounting.last_issue : accounting.started,
                    accounting.stalled});
  sc_assert(!issued || accounting.was_ended || accounting.started + accounted == accounting.last_issue + 1);
  sc_assert(accounting.was_ended || accounting.stalled[links::stall_cause::none] == 0);
}

void run_recorder::report(run_result& result) const {
  result.clock_reads = clock_reads_;
  std::sort(result.clock_reads.begin(), result.clock_reads.end(), [](const auto& x, const auto& y) {
    return std::tie(x.kernel, x.cta, x.warp, x.instruction) < std::tie(y.kernel, y.cta, y.warp, y.instruction);
  });
  for (std::size_t i = 1; i < result.clock_reads.size(); ++i) {
    const accounting::clock_read& previous = result.clock_reads[i - 1];
    accounting::clock_read& read = result.clock_reads[i];
    const bool same_warp = std::tie(read.kernel, read.cta, read.warp) == std::tie(previous.kernel, previous.cta, previous.warp);
    read.index = same_warp ? previous.index + 1 : 0;
  }
  result.warps = warps_;
  std::sort(result.warps.begin(), result.warps.end(), [](const warp_result& x, const warp_result& y) {
    return std::tie(x.kernel, x.cta, x.warp) < std::tie(y.kernel, y.cta, y.warp);
  });
  result.stalls = stalls_;
  result.undefined_values = in_order(undefined_values_);
  result.hazards = in_order(hazards_);
  result.ordering_hazards = in_order(ordering_hazards_);
  result.wrong_addresses = in_order(wrong_addresses_);
  for (const auto& [kernel, counts] : addresses_)
    if (kernel < result.kernels.size()) result.kernels[kernel].addresses = counts;
}

address_counts run_recorder::addresses() const {
  address_counts sum;
  for (const auto& [kernel, counts] : addresses_) sum += counts;
  return sum;
}

void run_recorder::take(run_result& result) {
  report(result);
  const auto renumber = [](auto& records) {
    for (auto& each : records) each.kernel = 0;
  };
  renumber(result.clock_reads);
  renumber(result.warps);
  renumber(result.undefined_values);
  renumber(result.hazards);
  renumber(result.ordering_hazards);
  renumber(result.wrong_addresses);
  clear();
}

void run_recorder::clear() {
  addresses_.clear();
  wrong_addresses_.clear();
  wrong_address_of_.clear();
  clock_reads_.clear();
  warps_.clear();
  stalls_ = {};
  undefined_values_.clear();
  undefined_value_of_.clear();
  hazards_.clear();
  hazard_of_.clear();
  ordering_hazards_.clear();
  ordering_hazard_of_.clear();
}

}  // namespace tc::accounting
