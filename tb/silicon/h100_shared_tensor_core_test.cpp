// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "shared_tensor_core.hpp"

namespace h100_shared_tensor_core_test {

namespace {

using tc::silicon::shared_tensor_core;

class h100_shared_tensor_core : public testing::TestWithParam<shared_tensor_core> {};

TEST_P(h100_shared_tensor_core, lets_a_warp_that_waited_long_go_before_a_warpgroup) {
  const shared_tensor_core& recorded = GetParam();
  const shared_tensor_core model = tc::silicon::modelled_shared_tensor_core(recorded.columns);
  EXPECT_NEAR(model.alone, recorded.alone, 0.03 * recorded.alone);
  EXPECT_NEAR(model.beside_warps, recorded.beside_warps, 0.05 * recorded.beside_warps);
  EXPECT_NEAR(model.between_warps, recorded.between_warps, 0.2 * recorded.between_warps);
}

INSTANTIATE_TEST_SUITE_P(recorded, h100_shared_tensor_core, testing::ValuesIn(tc::silicon::recorded_shared_tensor_cores()));

}  // namespace
}  // namespace h100_shared_tensor_core_test
