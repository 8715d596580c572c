// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <shared_recordings.hpp>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>
#include <tc/execution/grid_execution.hpp>
#include <tc/execution/memory_comparison.hpp>
#include <tc/launches/launch_reader.hpp>

namespace tc::recorded_launches_test {

namespace fs = std::filesystem;

execution::memory_comparison executed(const fs::path& folder) {
  const launches::launch launch = launches::read_launch(folder);
  const listings::sass_kernel kernel = listings::read_sass(launch.code, launch.kernel);
  const config::machine hopper = config::load_machine(std::string(TC_SOURCE_DIR) + "/configs/hopper.json");
  return execution::compare(launch, execution::execute(launch, kernel, hopper).memory);
}

class recorded_launches : public testing::TestWithParam<const char*> {};

TEST_P(recorded_launches, leave_the_bytes_that_an_h100_left) {
  const fs::path own = fs::path(TC_SOURCE_DIR) / "launches" / GetParam(), shared = test::shared_recordings() / "launches" / GetParam();
  const fs::path folder = fs::exists(own) ? own : shared;
  if (!fs::exists(folder)) GTEST_SKIP() << "the recording is not here";
  std::cout << "ran " << folder.string() << '\n';
  const execution::memory_comparison compared = executed(folder);
  EXPECT_TRUE(compared.is_exact());
  EXPECT_GT(compared.bytes, 0U);
}

INSTANTIATE_TEST_SUITE_P(all, recorded_launches,
                         testing::Values("wmma_shared.128", "mma_async.128", "wmma_global.128", "mma_async.512",
                                         "triton_matmul_f16_64x64x32"));

/// Whose last bits depend on what silicon approximates, or on the order of atomic additions.
struct near_launch {
  const char* name;
  std::uint64_t most_differing;  ///< elements of four bytes that are not the same and not within a tolerance of the launch
};

class near_launches : public testing::TestWithParam<near_launch> {};

TEST_P(near_launches, leave_nearly_the_bytes_that_an_h100_left) {
  const fs::path folder = test::shared_recordings() / "launches" / GetParam().name;
  if (!fs::exists(folder)) GTEST_SKIP() << "the recording is not here";
  std::cout << "ran " << folder.string() << '\n';
  EXPECT_LE(executed(folder).differing, GetParam().most_differing);
}

INSTANTIATE_TEST_SUITE_P(all, near_launches,
                         testing::Values(near_launch{"triton_splitk", 0}, near_launch{"triton_attention_64_full", 100}));

/// MUFU.EX2 and MUFU.RCP are the nearest numbers here, and up to two units in the last place away on silicon.
TEST(softmax, is_within_four_units_in_the_last_place) {
  const fs::path folder = test::shared_recordings() / "launches/triton_softmax";
  if (!fs::exists(folder)) GTEST_SKIP() << "the recording is not here";
  launches::launch launch = launches::read_launch(folder);
  for (auto& each : launch.allocations) each.tolerance = launches::launch_tolerance{isa::element_type::f32, 4};
  const listings::sass_kernel kernel = listings::read_sass(launch.code, launch.kernel);
  const config::machine hopper = config::load_machine(std::string(TC_SOURCE_DIR) + "/configs/hopper.json");
  EXPECT_EQ(execution::compare(launch, execution::execute(launch, kernel, hopper).memory).differing, 0U);
}

}  // namespace tc::recorded_launches_test
