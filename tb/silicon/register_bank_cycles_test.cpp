// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "register_bank_stream.hpp"
#include "stream_recording.hpp"

namespace register_bank_cycles_test {

namespace {

using namespace tc;
using silicon::register_bank_stream;

/// All combinations of sources and reuse flags; the validation report has the streams of other stall counts, warps and destinations, too.
std::vector<register_bank_stream> rows_to_run() {
  auto rows = silicon::register_bank_streams(silicon::timing_folder());
  const auto is_another = [](const auto& row) { return row.warps > 1 || row.stall > 1 || row.destination != "even"; };
  rows.erase(std::remove_if(rows.begin(), rows.end(), is_another), rows.end());
  return rows;
}

class register_bank_cycles : public testing::TestWithParam<register_bank_stream> {};

TEST_P(register_bank_cycles, are_those_of_the_gpu) {
  const double recorded = std::round(GetParam().cycles * register_bank_stream::instructions);
  EXPECT_NEAR(static_cast<double>(silicon::cycles_of(GetParam())), recorded, 4);
}

INSTANTIATE_TEST_SUITE_P(recorded, register_bank_cycles, testing::ValuesIn(rows_to_run()));

}  // namespace

}  // namespace register_bank_cycles_test
