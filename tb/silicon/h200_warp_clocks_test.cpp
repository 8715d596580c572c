// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <iostream>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "mma_stream.hpp"

namespace h200_warp_clocks_test {

namespace {

using namespace tc;

/// Repetitions that the model matches.
std::vector<long> model_matches(const silicon::warp_clock_recording& recorded) {
  return silicon::in_child([&recorded] {
    const auto modelled = silicon::modelled_clocks(recorded, silicon::timing_folder());
    return std::vector<long>{std::inner_product(modelled.begin(), modelled.end(), recorded.repetitions.begin(), 0L, std::plus<>(),
                                                [](const auto& m, const auto& r) { return silicon::matches(r, m) ? 1 : 0; })};
  });
}

// With one warp to a sub-core every repetition of every warp begins and ends where it did. Which of several warps comes first depends on
// what the recordings do not show, so those are reported.
TEST(h200_warp_clocks, repetitions_begin_and_end_as_on_the_gpu) {
  unsigned streams = 0;
  for (const auto& recorded : silicon::warp_clock_recordings(silicon::timing_folder())) {
    const auto found = model_matches(recorded);
    ASSERT_EQ(found.size(), 1u) << recorded.stream.name();
    ++streams;
    std::cout << recorded.stream.name() << ": " << found[0] << " of " << recorded.repetitions.size() << '\n';
    if (recorded.stream.warps <= 4) {
      EXPECT_EQ(static_cast<std::size_t>(found[0]), recorded.repetitions.size()) << recorded.stream.name();
    }
  }
  EXPECT_GE(streams, 40u);
}

}  // namespace

}  // namespace h200_warp_clocks_test
