// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "memory_chain.hpp"
#include "stream_recording.hpp"

namespace h200_memory_test {

namespace {

using namespace tc;
using silicon::memory_chain;

class h200_memory : public testing::TestWithParam<memory_chain> {};

TEST_P(h200_memory, takes_the_cycles_of_the_gpu) {
  const auto cycles = static_cast<double>(silicon::cycles_of(GetParam()));
  RecordProperty("model_cycles", static_cast<int>(cycles));
  EXPECT_NEAR(cycles, GetParam().cycles, 0.02 * GetParam().cycles);
}

INSTANTIATE_TEST_SUITE_P(recorded, h200_memory, testing::ValuesIn(silicon::memory_chains(silicon::timing_folder())));

}  // namespace

}  // namespace h200_memory_test
