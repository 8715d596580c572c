// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "access_stream.hpp"

namespace h200_memory_throughput_test {

namespace {

using namespace tc;
using silicon::access_stream;

class h200_memory_throughput : public testing::TestWithParam<access_stream> {};

/// A sub-core starts an LDS in two cycles and an LDG in four; the banks serve a wavefront in each cycle, but one of a warp in two.
TEST_P(h200_memory_throughput, is_that_of_the_gpu) {
  const double cycles = silicon::cycles_of(GetParam());
  RecordProperty("model_cycles", fmt::format("{:.2f}", cycles));
  EXPECT_NEAR(cycles, GetParam().cycles, 0.10 * GetParam().cycles);
}

INSTANTIATE_TEST_SUITE_P(measured, h200_memory_throughput, testing::ValuesIn(silicon::measured_access_streams()));

}  // namespace

}  // namespace h200_memory_throughput_test
