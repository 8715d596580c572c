// SPDX-License-Identifier: Apache-2.0
#include "share_result.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tc::parallel {

namespace {

template <class Record>
void append(std::vector<Record>& all, const std::vector<Record>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Two reports of the same instruction as one, which tells of the first occurrence.
template <class Report>
Report joined(const Report& x, const Report& y) {
  Report first = x.is_before(y) ? x : y;
  first.occurrences = x.occurrences + y.occurrences;
  return first;
}

/// The first of the kind that counts for more.
accounting::hazard_report joined(const accounting::hazard_report& x, const accounting::hazard_report& y) {
  accounting::hazard_report figures = x;
  figures.add(y);
  accounting::hazard_report first = x.kind != y.kind ? (x.kind > y.kind ? x : y) : (x.is_before(y) ? x : y);
  first.cycles_early = figures.cycles_early;
  first.occurrences = figures.occurrences;
  return first;
}

/// Reports of the same instruction become one.
template <class Report>
void join_reports(std::vector<Report>& all, const std::vector<Report>& more) {
  for (const Report& report : more) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const Report& known) { return known.is_of_same(report); });
    if (same == all.end()) {
      all.push_back(report);
      continue;
    }
    *same = joined(*same, report);
  }
  std::stable_sort(all.begin(), all.end(), [](const Report& x, const Report& y) { return x.is_before(y); });
}

void join(accounting::kernel_result& all, const accounting::kernel_result& other) {
  all.instructions += other.instructions;
  all.end = std::max(all.end, other.end);
  all.addresses += other.addresses;
  all.finished = all.finished && other.finished;
}

}  // namespace

void join(accounting::run_result& all, const accounting::run_result& other) {
  all.status = std::max(all.status, other.status);
  append(all.waiting, other.waiting);
  all.cycles = std::max(all.cycles, other.cycles);
  all.instructions += other.instructions;
  for (std::size_t i = 0; i < all.kernels.size(); ++i) join(all.kernels[i], other.kernels[i]);
  append(all.clock_reads, other.clock_reads);
  std::sort(all.clock_reads.begin(), all.clock_reads.end(), [](const accounting::clock_read& x, const accounting::clock_read& y) {
    return std::tie(x.kernel, x.cta, x.warp, x.index) < std::tie(y.kernel, y.cta, y.warp, y.index);
  });
  append(all.warps, other.warps);
  std::sort(all.warps.begin(), all.warps.end(), [](const accounting::warp_result& x, const accounting::warp_result& y) {
    return std::tie(x.kernel, x.cta, x.warp) < std::tie(y.kernel, y.cta, y.warp);
  });
  all.stalls += other.stalls;
  join_reports(all.undefined_values, other.undefined_values);
  join_reports(all.hazards, other.hazards);
  join_reports(all.ordering_hazards, other.ordering_hazards);
  join_reports(all.wrong_addresses, other.wrong_addresses);
}

}  // namespace tc::parallel
