// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "mma_stream.hpp"
#include "stream_recording.hpp"

namespace h200_mma_sync_test {

namespace {

using namespace tc;

/// How far the model is from the rows of timing/h200_mma_sync.csv: streams of matrix instructions between two clock reads.
struct score {
  unsigned rows = 0, exact = 0, within_2 = 0;
  double relative_error = 0;

  double mean_percent() const { return rows == 0 ? 0 : 100 * relative_error / rows; }
  void add(long recorded, long model) {
    const long error = std::labs(model - recorded);
    ++rows;
    if (error == 0) ++exact;
    if (error <= 2) ++within_2;
    relative_error += static_cast<double>(error) / static_cast<double>(recorded);
  }
};

TEST(h200_mma_sync, streams_take_the_cycles_of_the_gpu) {
  score few, many;
  for (const auto& fields : silicon::csv_rows(silicon::timing_folder() / "h200_mma_sync.csv")) {
    const auto number = [&fields](unsigned i) { return static_cast<unsigned>(std::stoul(fields.at(i))); };
    const silicon::stream_row row{fields.at(0), number(1), number(2), number(3)};
    const auto cycles = silicon::in_child([&row] { return std::vector<long>{silicon::cycles_of(row, silicon::timing_folder())}; });
    ASSERT_EQ(cycles.size(), 1u) << row.name();
    const long recorded = std::stol(fields.at(4));
    if (cycles[0] != recorded) std::cout << row.name() << ": recorded " << recorded << ", model " << cycles[0] << '\n';
    // With one warp to a sub-core nothing but the structure decides.
    if (row.warps <= 4) {
      EXPECT_LE(std::labs(cycles[0] - recorded), 2) << row.name();
    }
    (row.warps <= 8 ? few : many).add(recorded, cycles[0]);
  }
  const unsigned rows = few.rows + many.rows, exact = few.exact + many.exact, within_2 = few.within_2 + many.within_2;
  std::cout << silicon::timing_folder() << ": " << rows << " rows, " << exact << " exact, " << within_2
            << " within 2 cycles; up to 8 warps " << few.mean_percent() << " %, 12 and 16 warps " << many.mean_percent() << " %\n";
  EXPECT_LT(few.mean_percent(), 0.4);
  EXPECT_LT(many.mean_percent(), 2.0);
  EXPECT_GE(exact, 80u);
  EXPECT_GE(within_2, 96u);
}

}  // namespace

}  // namespace h200_mma_sync_test
