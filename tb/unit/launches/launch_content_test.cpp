// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <tc/launches/launch_content.hpp>
#include <tc/study/compressed_file.hpp>

#include "launch_folder.hpp"

namespace tc::launches::launch_content_test {

std::vector<std::uint8_t> content_of(const launch_content& content, std::uint64_t bytes) {
  std::vector<std::uint8_t> result(bytes);
  write_content(content, result.data(), bytes);
  return result;
}

TEST(launch_content, generates_the_same_numbers_everywhere) {
  const auto words = content_of(random_content{isa::element_type::s32, 0}, 8);
  std::uint32_t first = 0;
  std::memcpy(&first, words.data(), sizeof first);
  EXPECT_EQ(first, 0xe220a839'7b1dcdafU & 0xffffffffU);  // the first output of SplitMix64 from 0
  EXPECT_NE(content_of(random_content{isa::element_type::f16, 1}, 64), content_of(random_content{isa::element_type::f16, 2}, 64));
}

TEST(launch_content, generates_numbers_from_minus_one_to_one) {
  const auto bytes = content_of(random_content{isa::element_type::f32, 1}, 4096);
  double sum = 0, smallest = 1, largest = -1;
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    float value = 0;
    std::memcpy(&value, &bytes[i], sizeof value);
    sum += double{value};
    smallest = std::min(smallest, double{value});
    largest = std::max(largest, double{value});
  }
  EXPECT_NEAR(sum / 1024, 0, 0.1);
  EXPECT_GE(smallest, -1);
  EXPECT_LE(largest, 1);
  EXPECT_LT(smallest, -0.9);
  EXPECT_GT(largest, 0.9);
}

TEST(launch_content, refuses_a_file_of_another_size) {
  const test::launch_folder folder("");
  folder.file("image", "abcd");
  EXPECT_EQ(read_content_file(folder.path() / "image", 4), (std::vector<std::uint8_t>{'a', 'b', 'c', 'd'}));
  EXPECT_THROW(read_content_file(folder.path() / "image", 3), study::vector_error);
  EXPECT_THROW(read_content_file(folder.path() / "image", 5), study::vector_error);
}

}  // namespace tc::launches::launch_content_test
