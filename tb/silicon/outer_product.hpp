// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

// The experiments of Jia et al., arXiv 1804.06826, with 64 FFMA of an 8 x 8 outer product for each thread, as the compiler mapped its
// registers and as the authors did (chapter 1), and with two warps on one or on two sub-cores (table 2.1), on a V100 at 1380 MHz.

namespace tc::silicon {

/// The study shows the FFMA, not the rest of its loops. Here a loop begins with its four loads from shared memory: A to R8-R15, B to
/// R80-R83 and R4-R7, which leave no registers to load ahead. A scoreboard stands for the wait masks.
struct outer_product {
  std::string mapping;          ///< "original" or "improved"
  std::vector<unsigned> warps;  ///< numbers of the warps that run it, all of one CTA on one SM
  bool loads = true;            ///< false: the FFMA alone
};

struct outer_product_speed {
  double gflops = 0;  ///< of the SM
  double cycles = 0;  ///< of one passage of the loop
};

/// Runs it on a V100 with parameters changed by assignments "path=value". Throws std::runtime_error if it does not finish.
outer_product_speed speed_of(const outer_product& product, const std::vector<std::string>& assignments = {});

constexpr double v100_clock_ghz = 1.38;

}  // namespace tc::silicon
