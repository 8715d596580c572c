// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <gmock/gmock.h>
#include <string>

#include <gtest/gtest.h>

#include <tc/launches/code_records.hpp>
#include <tc/launches/launch_check.hpp>
#include <tc/launches/launch_reader.hpp>
#include <tc/listings/sass_listing.hpp>

namespace tc::launches::launch_check_test {

using testing::ElementsAre;
using testing::HasSubstr;

const std::filesystem::path recorded = std::filesystem::path(TC_SOURCE_DIR) / "launches/wmma_shared.128";

std::vector<std::string> found(const launch& launch) {
  return differences(launch, listings::read_sass(launch.code, launch.kernel), read_code_records(launch.code, launch.kernel));
}

TEST(launch_check, finds_nothing_in_a_recorded_launch) { EXPECT_TRUE(found(read_launch(recorded)).empty()); }

TEST(launch_check, knows_the_records_of_each_kernel_of_a_listing) {
  const launch launch = read_launch(recorded);
  const code_records own = read_code_records(launch.code, launch.kernel);
  EXPECT_EQ(own.registers, 72U);
  EXPECT_EQ(own.parameters.size(), 6U);
  EXPECT_EQ(own.parameter_bytes(), 36U);
  EXPECT_EQ(read_code_records(launch.code, "_Z12empty_kernelv").registers, 4U);
}

TEST(launch_check, says_where_launch_and_code_differ) {
  launch launch = read_launch(recorded);
  launch.registers = 71;
  launch.static_shared_bytes = 8;
  launch.parameters[1].bytes.resize(4);
  launch.parameters.pop_back();
  EXPECT_THAT(found(launch), ElementsAre(HasSubstr("launch.txt:6:11: 71 registers; the code has 72"),
                                         HasSubstr("launch.txt:5:7: 8 static bytes of shared memory; the code has 10240"),
                                         HasSubstr("launch.txt:8:7: parameter 1 has 4 bytes here; in the code it has 8"),
                                         HasSubstr("parameter 5 of the code, 4 bytes at offset 32, is missing: 'param 32 4 HEX'")));
}

TEST(launch_check, says_for_which_blocks_and_clusters_the_code_is) {
  launch launch = read_launch(recorded);
  code_records records;
  records.most_threads = 64;
  records.block = trace::dim3{128, 1, 1};
  records.cluster = trace::dim3{2, 1, 1};
  const auto kernel = listings::read_sass(launch.code, launch.kernel);
  EXPECT_THAT(differences(launch, kernel, records),
              ElementsAre(HasSubstr("launch.txt:1:8: blocks of 128 threads; the code is for at most 64"),
                          HasSubstr("launch.txt:1:8: clusters of 1 x 1 x 1; the code is for 2 x 1 x 1")));
}

TEST(launch_check, says_which_variables_the_code_does_not_have) {
  launch launch = read_launch(std::filesystem::path(TC_SOURCE_DIR) / "launches/function_pointers");
  EXPECT_TRUE(found(launch).empty());
  launch.allocations.back().bytes = 16;
  EXPECT_THAT(found(launch), ElementsAre(HasSubstr("launch.txt:13:14: the variable table has 16 bytes here; in the code it has 32")));
  launch.allocations.back().name = "other";
  EXPECT_THAT(found(launch), ElementsAre(HasSubstr("launch.txt:13:14: the code has no variable other")));
}

}  // namespace tc::launches::launch_check_test
