#include <iostream>
#include <vector>

#include <gtest/gtest.h>

#include "mma_stream.hpp"

namespace {

using namespace tc;

// Streams of one warp whose stall counts leave it to the hardware how far apart matrix instructions start: every second row, to save time.
TEST(h200_issue_interval, streams_of_one_warp_take_the_cycles_of_the_gpu) {
  unsigned rows = 0, shared = 0;
  for (const auto& row : silicon::overwritten_streams(silicon::timing_folder())) {
    if (row.stream.warps != 1 || ++shared % 2 == 0) continue;
    const auto cycles = silicon::in_child([&row] { return std::vector<long>{silicon::cycles_of(row, silicon::timing_folder())}; });
    ASSERT_EQ(cycles.size(), 1u) << row.stream.name();
    ++rows;
    const auto recorded = static_cast<double>(row.cycles);
    EXPECT_NEAR(static_cast<double>(cycles[0]), recorded, 0.01 * recorded)
        << row.stream.name() << " stall " << row.stall << " reuse " << row.reuse;
  }
  std::cout << rows << " of " << shared << " rows\n";
  EXPECT_GE(rows, 50u);
}

}  // namespace
