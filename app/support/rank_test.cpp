// SPDX-License-Identifier: Apache-2.0
#include "rank_test.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include <fmt/format.h>

namespace tcsim {

namespace {

constexpr std::size_t most_exact = 50;  // values in all: numbers of allotments are then exact in a double, too

/// Doubled, so that the mean rank of equal values is an integer.
struct doubled_ranks {
  std::vector<std::size_t> of_all;
  std::size_t sum_of_a = 0;
  double ties = 0;  ///< the sum of t^3 - t over the groups of t equal values
};

doubled_ranks ranks_of(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  std::sort(all.begin(), all.end());
  doubled_ranks ranks;
  const auto rank_of = [&all](double value) {
    const auto [first, end] = std::equal_range(all.begin(), all.end(), value);
    return static_cast<std::size_t>((first - all.begin()) + (end - all.begin()) + 1);
  };
  for (const double value : a) ranks.sum_of_a += rank_of(value);
  for (auto first = all.begin(); first != all.end();) {
    const auto end = std::upper_bound(first, all.end(), *first);
    const auto count = static_cast<double>(end - first);
    ranks.of_all.insert(ranks.of_all.end(), static_cast<std::size_t>(end - first), rank_of(*first));
    ranks.ties += count * count * count - count;
    first = end;
  }
  return ranks;
}

/// For each sum of ranks: the number of ways to choose the ranks of one side that have it.
std::vector<double> ways_by_sum(const std::vector<std::size_t>& ranks, std::size_t taken) {
  const std::size_t sums = std::accumulate(ranks.begin(), ranks.end(), std::size_t{1});
  std::vector<std::vector<double>> ways(taken + 1, std::vector<double>(sums));
  ways[0][0] = 1;
  for (const std::size_t rank : ranks)
    for (std::size_t count = taken; count > 0; --count)
      for (std::size_t sum = rank; sum < sums; ++sum) ways[count][sum] += ways[count - 1][sum - rank];
  return ways[taken];
}

/// The same. Many comparisons in a row have the same ranks, all without equal values: those of the last one are kept.
const std::vector<double>& kept_ways_by_sum(const std::vector<std::size_t>& ranks, std::size_t taken) {
  static thread_local std::vector<std::size_t> kept_ranks;
  static thread_local std::size_t kept_taken = 0;
  static thread_local std::vector<double> ways;
  if (ways.empty() || kept_taken != taken || kept_ranks != ranks) {
    ways = ways_by_sum(ranks, taken);
    kept_ranks = ranks;
    kept_taken = taken;
  }
  return ways;
}

double exact_test(const doubled_ranks& ranks, std::size_t a, double mean, double distance) {
  const std::vector<double>& ways = kept_ways_by_sum(ranks.of_all, a);
  double as_far = 0, all = 0;
  for (std::size_t sum = 0; sum < ways.size(); ++sum) {
    all += ways[sum];
    if (std::abs(static_cast<double>(sum) - mean) >= distance) as_far += ways[sum];
  }
  return as_far / all;
}

/// Lehmann, Nonparametrics (1975), section 1.4; the ranks are doubled.
double normal_test(const doubled_ranks& ranks, double a, double b, double distance) {
  const double n = a + b, variance = a * b / 12 * ((n + 1) - ranks.ties / (n * (n - 1)));
  if (variance <= 0) return 1;
  return std::erfc(std::max(0.0, distance / 2 - 0.5) / std::sqrt(2 * variance));
}

}  // namespace

double rank_test(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) return 1;
  const doubled_ranks ranks = ranks_of(a, b);
  const auto of_a = static_cast<double>(a.size()), of_b = static_cast<double>(b.size());
  const double mean = of_a * (of_a + of_b + 1), distance = std::abs(static_cast<double>(ranks.sum_of_a) - mean);
  return a.size() + b.size() <= most_exact ? exact_test(ranks, a.size(), mean, distance) : normal_test(ranks, of_a, of_b, distance);
}

chance_comparison compare_by_ranks(const std::vector<double>& a, const std::vector<double>& b) {
  if (std::min(a.size(), b.size()) < fewest_runs_to_tell) return {};
  const double p = rank_test(a, b);
  return {p < chance_level ? chance_verdict::real : chance_verdict::within_chance, p};
}

std::string text_of(const chance_comparison& comparison) {
  const std::string p = comparison.p < 0.001 ? "p < 0.001" : fmt::format("p = {:.2g}", comparison.p);
  switch (comparison.verdict) {
    case chance_verdict::real:
      return fmt::format("real ({})", p);
    case chance_verdict::within_chance:
      return fmt::format("within chance ({})", p);
    case chance_verdict::too_few_runs:
      break;
  }
  return fmt::format("too few runs to tell ({} of each are needed)", fewest_runs_to_tell);
}

std::string_view name_of(chance_verdict verdict) {
  switch (verdict) {
    case chance_verdict::real:
      return "real";
    case chance_verdict::within_chance:
      return "within_chance";
    case chance_verdict::too_few_runs:
      break;
  }
  return "too_few_runs";
}

}  // namespace tcsim
