// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/trace/trace_writing.hpp>

namespace tc::trace::trace_writing_test {
namespace {

std::string text_of(const std::vector<std::pair<unsigned, std::uint64_t>>& lanes) {
  address_list addresses;
  for (const auto& [lane, address] : lanes) addresses.set(lane, address);
  std::string text;
  append_addresses(text, addresses);
  return text;
}

TEST(trace_writing, addresses_are_a_base_and_a_stride_if_they_can_be) {
  EXPECT_EQ(text_of({}), "");
  EXPECT_EQ(text_of({{5, 0x10}}), " @ 0x10");
  EXPECT_EQ(text_of({{1, 0x10}, {2, 0x10}}), " @ 0x10");
  EXPECT_EQ(text_of({{1, 0x10}, {3, 0x18}, {4, 0x1c}}), " @ 0x10+4");
  EXPECT_EQ(text_of({{0, 0x20}, {1, 0x18}, {2, 0x10}}), " @ 0x20-8");
  EXPECT_EQ(text_of({{0, 0x20}, {2, 0x25}}), " @ {0x20, 0x25}") << "no whole stride";
  EXPECT_EQ(text_of({{0, 0x20}, {1, 0x24}, {2, 0x20}}), " @ {0x20, 0x24, 0x20}");
  EXPECT_EQ(text_of({{0, 0x7f0000000000}, {1, 0x6f0000000000}}), " @ {0x7f0000000000, 0x6f0000000000}") << "too long a stride";
}

}  // namespace
}  // namespace tc::trace::trace_writing_test
