// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <tc/memory/memory_hierarchy.hpp>

namespace tc::memory::memory_hierarchy_test {
namespace {

constexpr std::uint64_t page = 1024 * 1024;
constexpr cycle_t l1 = 10, l2 = 100, dram = 300, translation = 500;

config::memory_hierarchy_parameters small() {
  config::memory_hierarchy_parameters p;
  p.enabled = true;
  p.l1 = {256, 1, 128, 32};
  p.l1_hit_cycles = l1;
  p.l2 = {1024, 2, 128, 32};
  p.l2_hit_cycles = l2;
  p.l2_miss_cycles = dram;
  p.translation = {2, page / 1024, translation};
  return p;
}

memory_hierarchy::request at(std::uint64_t address, cycle_t arrival, unsigned sm = 0) {
  memory_hierarchy::request r;
  r.sm = sm;
  r.address = address;
  r.arrival = arrival;
  return r;
}

TEST(memory_hierarchy, answers_from_the_first_level_that_has_the_sector) {
  memory_hierarchy caches(small());
  EXPECT_EQ(caches.read(at(0, 1000)), 1000 + translation + dram);
  EXPECT_EQ(caches.read(at(28, 2000)), 2000 + l1) << "same sector";
  EXPECT_EQ(caches.read(at(32, 3000)), 3000 + dram) << "next sector, same page";
  EXPECT_EQ(caches.read(at(0, 4000, 1)), 4000 + l2) << "another SM";
  EXPECT_EQ(caches.read(at(page, 5000)), 5000 + translation + dram);
}

TEST(memory_hierarchy, lets_accesses_wait_for_what_is_on_its_way) {
  memory_hierarchy caches(small());
  EXPECT_EQ(caches.read(at(0, 0)), translation + dram);
  EXPECT_EQ(caches.read(at(4, 1)), translation + dram) << "the same sector";
  EXPECT_EQ(caches.read(at(0, 2, 1)), translation + dram) << "from another SM";
  EXPECT_EQ(caches.read(at(64, 3)), translation + dram) << "another sector of the page";
}

TEST(memory_hierarchy, takes_as_long_as_the_slowest_sector) {
  memory_hierarchy caches(small());
  caches.read(at(0, 0));
  memory_hierarchy::request wide = at(0, 2000);
  wide.bytes = 64;
  EXPECT_EQ(caches.read(wide), 2000 + dram);
}

TEST(memory_hierarchy, loses_lines_to_others_of_their_set) {
  memory_hierarchy caches(small());
  caches.read(at(0, 0));
  caches.read(at(256, 1000));
  EXPECT_EQ(caches.read(at(0, 2000)), 2000 + l2) << "the L1 cache has one line in a set";
}

TEST(memory_hierarchy, writes_to_the_l2_cache) {
  memory_hierarchy caches(small());
  EXPECT_EQ(caches.write(at(0, 0)), translation + l2);
  EXPECT_EQ(caches.read(at(0, 1000)), 1000 + l2) << "no room in L1 for what was written";
  EXPECT_EQ(caches.read(at(0, 2000)), 2000 + l1);
}

TEST(memory_hierarchy, begins_kernels_with_empty_l1_caches) {
  memory_hierarchy caches(small());
  caches.read(at(0, 0));
  caches.invalidate_l1();
  EXPECT_EQ(caches.read(at(0, 1000)), 1000 + l2);
  caches.reset();
  EXPECT_EQ(caches.read(at(0, 2000)), 2000 + translation + dram);
}

TEST(memory_hierarchy, bypasses_the_l1_cache_when_asked_to) {
  memory_hierarchy caches(small());
  caches.read(at(0, 0));
  memory_hierarchy::request strong = at(0, 1000);
  strong.bypass_l1 = true;
  EXPECT_EQ(caches.read(strong), 1000 + l2);
}

class counters final : public fabric::statistics_sink {
 public:
  explicit counters(const memory_hierarchy& caches) { caches.collect(*this); }
  std::map<std::string, std::uint64_t> values;

 private:
  void begin_object(std::string_view) override {}
  void end_object() override {}
  void record(const fabric::statistic& value) override { values[std::string(value.name)] = value.value; }
};

/// Accesses of up to two lines at random addresses, some of whose sectors are at one level and some at another, and the same accesses
/// sector by sector.
TEST(memory_hierarchy, takes_sectors_together_as_one_by_one) {
  memory_hierarchy together(small()), singly(small());
  std::mt19937 random(3);
  for (cycle_t arrival = 0; arrival < 400000; arrival += 100) {
    memory_hierarchy::request all = at(random() % 512 * 4 + random() % 3 * page, arrival, static_cast<unsigned>(random() % 2));
    all.bytes = 4 * (1 + random() % 40);
    all.bypass_l1 = random() % 8 == 0;
    const bool is_write = random() % 4 == 0;
    cycle_t valid = 0;
    for (std::uint64_t next = all.address; next < all.address + all.bytes;) {
      memory_hierarchy::request one = all;
      one.address = next;
      one.bytes = std::min(next / 32 * 32 + 32, all.address + all.bytes) - next;
      one.goes_on = next != all.address;
      next += one.bytes;
      valid = std::max(valid, is_write ? singly.write(one) : singly.read(one));
    }
    ASSERT_EQ(is_write ? together.write(all) : together.read(all), valid) << arrival;
  }
  EXPECT_EQ(counters(together).values, counters(singly).values);
  EXPECT_EQ(together.traffic().read_from_l2, singly.traffic().read_from_l2);
  EXPECT_EQ(together.traffic().read_from_dram, singly.traffic().read_from_dram);
  EXPECT_EQ(together.traffic().written_anew, singly.traffic().written_anew);
}

/// The words of lanes with a stride of 8 bytes, then of 4 bytes in the same sectors.
void access_strided(memory_hierarchy& caches, cycle_t arrival, bool is_write, bool bypass_l1 = false) {
  for (std::uint64_t lane = 0; lane < 16; ++lane) {
    memory_hierarchy::request part = at(8 * lane, arrival);
    part.goes_on = lane != 0;
    part.bypass_l1 = bypass_l1;
    if (is_write)
      caches.write(part);
    else
      caches.read(part);
  }
}

TEST(memory_hierarchy, counts_a_sector_once_for_each_instruction) {
  memory_hierarchy caches(small());
  access_strided(caches, 0, false);
  auto counted = counters(caches).values;
  EXPECT_EQ(counted["l1_hits"], 0U) << "nothing was used again";
  EXPECT_EQ(counted["l1_misses"], 4U);
  EXPECT_EQ(counted["l2_misses"], 4U);
  EXPECT_EQ(counted["translation_misses"] + counted["translation_hits"], 1U);
  EXPECT_EQ(counted["l2_bytes_read"], 128U);
  EXPECT_EQ(counted["dram_bytes"], 128U);
  access_strided(caches, 1000, false);
  counted = counters(caches).values;
  EXPECT_EQ(counted["l1_hits"], 4U) << "another instruction uses the sectors again";
  EXPECT_EQ(counted["l1_bytes"], 128U);
  EXPECT_EQ(counted["l1_misses"], 4U);
  access_strided(caches, 2000, false, true);
  counted = counters(caches).values;
  EXPECT_EQ(counted["l1_bypassed"], 4U);
  EXPECT_EQ(counted["l2_hits"], 4U);
  EXPECT_EQ(counted["l2_bytes"], 128U);
}

TEST(memory_hierarchy, counts_written_sectors_once_for_each_instruction) {
  memory_hierarchy caches(small());
  access_strided(caches, 0, true);
  auto counted = counters(caches).values;
  EXPECT_EQ(counted["l2_hits"], 0U) << "nothing was there";
  EXPECT_EQ(counted["l2_misses"], 4U);
  EXPECT_EQ(counted["dram_bytes"], 64U) << "the bytes that were written";
  EXPECT_EQ(counted["l2_bytes"], 0U);
  access_strided(caches, 1000, true);
  counted = counters(caches).values;
  EXPECT_EQ(counted["l2_hits"], 4U);
  EXPECT_EQ(counted["l2_bytes"], 64U);
  EXPECT_EQ(counted["l2_bytes_written"], 128U);
}

/// Sectors of the L2 cache are larger: two sectors of an L1 cache in one of them are no reuse of it.
TEST(memory_hierarchy, counts_sectors_of_each_level_by_their_size) {
  config::memory_hierarchy_parameters wide = small();
  wide.l2.sector_bytes = 64;
  memory_hierarchy caches(wide);
  memory_hierarchy::request all = at(0, 0);
  all.bytes = 128;
  caches.read(all);
  auto counted = counters(caches).values;
  EXPECT_EQ(counted["l1_misses"], 4U);
  EXPECT_EQ(counted["l2_misses"], 2U);
  EXPECT_EQ(counted["l2_hits"], 0U);
  EXPECT_EQ(counted["dram_bytes"], 128U);
}

/// And two of the L2 cache in one of an L1 cache are both fetched.
TEST(memory_hierarchy, fetches_all_of_a_sector_of_the_l1_cache) {
  config::memory_hierarchy_parameters narrow = small();
  narrow.l2.sector_bytes = 16;
  memory_hierarchy caches(narrow);
  memory_hierarchy::request upper = at(16, 0);
  upper.bytes = 16;
  caches.read(upper);
  auto counted = counters(caches).values;
  EXPECT_EQ(counted["l1_misses"], 1U);
  EXPECT_EQ(counted["l2_misses"], 2U);
  EXPECT_EQ(counted["dram_bytes"], 32U);
  EXPECT_EQ(counted["l2_bytes_read"], 32U);
}

TEST(memory_hierarchy, counts_what_passes_the_levels_that_are_shared) {
  memory_hierarchy caches(small());
  const auto expect_traffic = [&](std::uint64_t read_from_l2, std::uint64_t read_from_dram, std::uint64_t written_anew) {
    EXPECT_EQ(caches.traffic().read_from_l2, read_from_l2);
    EXPECT_EQ(caches.traffic().read_from_dram, read_from_dram);
    EXPECT_EQ(caches.traffic().written_anew, written_anew);
  };
  caches.read(at(0, 1000));
  expect_traffic(32, 32, 0);
  caches.read(at(4, 2000));
  expect_traffic(32, 32, 0);  // from L1
  caches.read(at(0, 3000, 1));
  expect_traffic(64, 32, 0);  // another SM, from L2
  caches.write(at(512, 4000));
  expect_traffic(64, 32, 4);  // the L2 cache takes it without fetching the line
  caches.write(at(512, 5000));
  expect_traffic(64, 32, 4);
  caches.reset();
  expect_traffic(0, 0, 0);
}

}  // namespace
}  // namespace tc::memory::memory_hierarchy_test
