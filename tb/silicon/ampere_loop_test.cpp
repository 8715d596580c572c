// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "listing.hpp"
#include "mma_loop.hpp"

namespace ampere_loop_test {

// Latency and throughput of an A100's matrix instructions, measured as Sun et al. did (arXiv 2206.02874, tables 3 to 5): a loop of mma.sync
// on so many independent accumulators and a __syncwarp; the latency is that of one iteration.

namespace {

using namespace tc;
using columns = std::vector<std::string>;

class ampere_loop : public testing::TestWithParam<columns> {
 protected:
  const std::string& instruction() const { return GetParam()[0]; }
  unsigned d_registers() const { return static_cast<unsigned>(std::stoul(GetParam()[1])); }

  /// Cycles of an iteration.
  double cycles(unsigned warps, const std::string& accumulators) const {
    return silicon::cycles_of({instruction(), d_registers(), static_cast<unsigned>(std::stoul(accumulators))}, warps);
  }

  /// The throughput follows from the cycles: it is that many instructions in them.
  void expect_measured(unsigned warps, std::size_t column) const {
    const columns& row = GetParam();
    if (row[column].empty()) return;  // not published
    const double found = cycles(warps, row[column]), measured = std::stod(row[column + 1]);
    std::cout << fmt::format("{}, {} warps: measured {:.1f}, modelled {:.1f}, {:+.1f} %\n", instruction(), warps, measured, found,
                             100 * (found / measured - 1));
    EXPECT_NEAR(found / measured, 1, 0.05);
  }
};

TEST_P(ampere_loop, of_one_warp_takes_the_latency) { expect_measured(1, 2); }
TEST_P(ampere_loop, of_four_warps_takes_the_measured_cycles) { expect_measured(4, 4); }
TEST_P(ampere_loop, of_eight_warps_takes_the_measured_cycles) { expect_measured(8, 7); }

INSTANTIATE_TEST_SUITE_P(of, ampere_loop, testing::ValuesIn(silicon::rows_of("ampere_mma_loops.csv")), [](const auto& row) {
  std::string name = row.param[0];
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace

}  // namespace ampere_loop_test
