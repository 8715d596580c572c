// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <tc/memory/paged_storage.hpp>

namespace tc::memory::paged_storage_test {
namespace {

constexpr std::uint64_t page = paged_storage::page_bytes;

paged_storage::content filled(std::uint8_t value) {
  return [value](std::uint64_t, std::uint8_t* destination, std::size_t count) { std::fill_n(destination, count, value); };
}

TEST(paged_storage, holds_only_its_regions) {
  paged_storage storage;
  EXPECT_FALSE(storage.contains(0, 1));
  storage.add_region(0x1000, 0x100, {});
  EXPECT_TRUE(storage.contains(0x1000, 0x100));
  EXPECT_FALSE(storage.contains(0x1000, 0x101));
  EXPECT_FALSE(storage.contains(0xfff, 1));
  EXPECT_EQ(storage.available(0x10f0), 0x10U);
}

TEST(paged_storage, joins_regions_that_touch) {
  paged_storage storage;
  storage.add_region(0x1000, 0x100, {});
  storage.add_region(0x1200, 0x100, {});
  EXPECT_FALSE(storage.contains(0x10ff, 2));
  storage.add_region(0x1100, 0x100, {});
  EXPECT_TRUE(storage.contains(0x1000, 0x300));
  EXPECT_EQ(storage.region_begin(0x12ff), 0x1000U);
}

TEST(paged_storage, fetches_each_page_of_the_initial_content_once) {
  paged_storage storage;
  unsigned fetched = 0;
  storage.add_region(page - 2, 4, [&](std::uint64_t offset, std::uint8_t* destination, std::size_t count) {
    ++fetched;
    for (std::size_t i = 0; i < count; ++i) destination[i] = static_cast<std::uint8_t>(offset + i + 1);
  });
  EXPECT_EQ(fetched, 0U) << "nobody has asked yet";
  EXPECT_EQ(*storage.at(page - 2), 1);
  EXPECT_EQ(*storage.at(page - 1), 2);
  EXPECT_EQ(fetched, 1U);
  EXPECT_EQ(*storage.at(page + 1), 4);
  EXPECT_EQ(fetched, 2U);
}

TEST(paged_storage, puts_later_content_over_earlier) {
  paged_storage storage;
  storage.add_region(0x100, 0x100, filled(1));
  *storage.at(0x100) = 9;
  *storage.at(0x1ff) = 9;
  storage.add_region(0x180, 0x100, filled(2));
  EXPECT_EQ(*storage.at(0x100), 9) << "kept";
  EXPECT_EQ(*storage.at(0x1ff), 2) << "replaced";
  EXPECT_EQ(*storage.at(0x27f), 2);
  storage.reset();
  EXPECT_EQ(*storage.at(0x100), 1);
  EXPECT_EQ(*storage.at(0x1ff), 2);
}

TEST(paged_storage, copies_what_pages_hold_and_makes_none) {
  paged_storage storage;
  storage.add_region(0x100, 4 * page, filled(1));
  storage.add_region(page - 8, 16, filled(2));
  *storage.at(2 * page) = 7;
  ASSERT_EQ(storage.pages(), 1U);
  const auto bytes_at = [&](std::uint64_t address, std::size_t count) {
    std::vector<std::uint8_t> bytes(count);
    storage.copy(address, bytes.data(), count);
    return bytes;
  };
  EXPECT_EQ(bytes_at(page - 9, 18), (std::vector<std::uint8_t>{1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1}));
  EXPECT_EQ(bytes_at(2 * page - 2, 4), (std::vector<std::uint8_t>{1, 1, 7, 1}));
  EXPECT_EQ(bytes_at(0x100, 4 * page).size(), 4 * page);
  EXPECT_EQ(storage.pages(), 1U);
}

/// A region as large as the address space of a trace takes nothing, nor does reading from it.
TEST(paged_storage, takes_memory_only_for_pages_that_are_used) {
  paged_storage storage;
  storage.add_region(0, std::uint64_t{1} << 57, {});
  std::vector<std::uint8_t> bytes(16);
  for (unsigned i = 0; i < 57; ++i) storage.copy((std::uint64_t{1} << i) - 1, bytes.data(), 1);
  EXPECT_EQ(storage.pages(), 0U);
  *storage.at((std::uint64_t{1} << 57) - 1) = 1;
  EXPECT_EQ(storage.pages(), 1U);
}

TEST(paged_storage, has_room_for_so_many_pages) {
  paged_storage storage(3);
  storage.add_region(0, 8 * page, {});
  storage.at(page);
  EXPECT_TRUE(storage.has_room(2));
  EXPECT_FALSE(storage.has_room(3));
  EXPECT_TRUE(storage.has_room(0, 3 * page)) << "the page in the middle is there";
  EXPECT_FALSE(storage.has_room(0, 3 * page + 1));
  storage.at(0);
  storage.at(2 * page);
  EXPECT_TRUE(storage.has_room(page - 4, 8)) << "both pages are there";
  EXPECT_FALSE(storage.has_room(3 * page, 1));
  EXPECT_TRUE(storage.has_room(7 * page, 0)) << "nothing needs no page";
  storage.reset();
  EXPECT_TRUE(storage.has_room(3));
}

TEST(paged_storage, reaches_the_end_of_the_address_space) {
  paged_storage storage;
  const std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  storage.add_region(last - 16, 16, filled(3));
  EXPECT_TRUE(storage.contains(last - 1, 1));
  EXPECT_EQ(*storage.at(last - 1), 3);
}

}  // namespace
}  // namespace tc::memory::paged_storage_test
