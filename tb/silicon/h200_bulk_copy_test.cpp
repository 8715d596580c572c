// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include "asynchronous_round.hpp"

namespace h200_bulk_copy_test {

namespace {

using namespace tc;
using silicon::asynchronous_round;

class h200_asynchronous : public testing::TestWithParam<asynchronous_round> {};

/// Within 5 % of an H200, but several copies in a round, whose intervals the GPU varies, within 10 %.
TEST_P(h200_asynchronous, takes_the_cycles_of_the_gpu) {
  const asynchronous_round& round = GetParam();
  const double cycles = silicon::cycles_of(round);
  RecordProperty("model_cycles", std::to_string(cycles));
  const bool several_copies = round.bytes > 0 && round.count > 1;
  EXPECT_NEAR(cycles, round.cycles, (several_copies ? 0.1 : 0.05) * round.cycles) << round;
}

INSTANTIATE_TEST_SUITE_P(recorded, h200_asynchronous, testing::ValuesIn(silicon::asynchronous_rounds(TC_SOURCE_DIR "/tb/silicon/data")));

}  // namespace

}  // namespace h200_bulk_copy_test
