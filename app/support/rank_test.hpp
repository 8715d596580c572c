// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tcsim {

/// Whether chance may have made the difference between two samples.
enum class chance_verdict { too_few_runs, within_chance, real };

/// The probability that chance alone parts two samples of one population by rank as far as these, or farther, to either side: Mann and
/// Whitney's test (Annals of Mathematical Statistics 18, 1947). Equal values have the mean of their ranks. Of up to 50 values in all it is
/// exact, the share of all allotments of the ranks to two samples of these sizes; beyond that the normal approximation, corrected for ties
/// and for continuity. 1 if a sample is empty.
double rank_test(const std::vector<double>& a, const std::vector<double>& b);

/// What is called real: chance makes as much in less than one of twenty pairs of equal machines.
inline constexpr double chance_level = 0.05;
/// The fewest runs on each side with which the test can call anything real.
inline constexpr std::size_t fewest_runs_to_tell = 4;

struct chance_comparison {
  chance_verdict verdict = chance_verdict::too_few_runs;
  double p = 1;  ///< of rank_test()
};

/// The verdict on two sets of runs of which each has its own seed.
chance_comparison compare_by_ranks(const std::vector<double>& a, const std::vector<double>& b);

/// For people: "real (p = 0.008)", "within chance (p = 0.31)", "too few runs to tell (4 of each are needed)".
std::string text_of(const chance_comparison& comparison);
/// For programs: "real", "within_chance", "too_few_runs".
std::string_view name_of(chance_verdict verdict);

}  // namespace tcsim
