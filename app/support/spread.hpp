// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace tcsim {

/// Where the values of several runs lie. Each of these is a value of one of the runs: of two in the middle the median is the lower one.
struct spread {
  std::uint64_t least = 0, lower_quartile = 0, median = 0, upper_quartile = 0, most = 0;

  /// From the least to the most, as a share of the median.
  double relative() const { return median == 0 ? 0 : static_cast<double>(most - least) / static_cast<double>(median); }
};

/// Of at least one value.
spread spread_of(std::vector<std::uint64_t> values);

}  // namespace tcsim
