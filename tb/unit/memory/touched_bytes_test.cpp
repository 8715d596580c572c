// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/memory/touched_bytes.hpp>

namespace tc::memory::touched_bytes_test {
namespace {

using ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

ranges ranges_of(const touched_bytes& bytes) {
  ranges all;
  for (const touched_bytes::range& range : bytes.ranges()) all.emplace_back(range.address, range.bytes);
  return all;
}

TEST(touched_bytes, are_told_in_order_with_neighbours_together) {
  touched_bytes bytes;
  bytes.add(0x2004, 4);
  bytes.add(0x1000, 64);
  bytes.add(0x1040, 1);
  bytes.add(0x2000, 4);
  bytes.add(0x2010, 3);
  EXPECT_EQ(ranges_of(bytes), (ranges{{0x1000, 65}, {0x2000, 8}, {0x2010, 3}}));
}

TEST(touched_bytes, may_pass_pages_and_reach_the_end_of_the_address_space) {
  touched_bytes bytes;
  bytes.add(0xffe, 0x1004);
  bytes.add(std::numeric_limits<std::uint64_t>::max(), 1);
  EXPECT_EQ(ranges_of(bytes), (ranges{{0xffe, 0x1004}, {std::numeric_limits<std::uint64_t>::max(), 1}}));
}

TEST(touched_bytes, are_those_that_a_set_of_them_has) {
  std::mt19937 random(1);
  touched_bytes bytes;
  std::set<std::uint64_t> expected;
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t address = random() % 20000, count = random() % 150;
    bytes.add(address, count);
    for (std::uint64_t b = 0; b < count; ++b) expected.insert(address + b);
  }
  std::set<std::uint64_t> found;
  for (const auto& [address, count] : ranges_of(bytes))
    for (std::uint64_t b = 0; b < count; ++b) found.insert(address + b);
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace tc::memory::touched_bytes_test
