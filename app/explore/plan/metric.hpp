// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tcsim {

/// A number that a sweep asks of each of its points.
struct metric {
  enum class origin {
    statistic,   ///< `source` is a path into the summary of statistics (statistics_summary.hpp), such as `stalls.wait_mask`
    expression,  ///< `source` is an SQL expression of axes and other metrics
  };

  std::string name;  ///< an identifier: it is a column of the results
  origin from = origin::statistic;
  std::string source;
  std::string unit{};         ///< empty: none, or not known
  std::string description{};  ///< one sentence
  bool more_is_better = false;
};

}  // namespace tcsim
