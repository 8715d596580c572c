// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include <tc/subcore/pipes/access_plan.hpp>

namespace tc::subcore::load_store_plan_test {
namespace {

access_elements elements(unsigned bytes, const std::function<std::uint64_t(unsigned)>& address, std::uint32_t mask = 0xffffffff) {
  access_elements e;
  e.bytes = bytes;
  e.mask = mask;
  for (unsigned i = 0; i < warp::lanes_per_warp; ++i) e.address[i] = address(i);
  return e;
}

access_plan by_banks(const access_elements& e) {
  access_plan plan;
  plan.split_by_banks(e, 32, 4);
  return plan;
}

access_plan by_lines(const access_elements& e) {
  access_plan plan;
  plan.split_by_lines(e, 128);
  return plan;
}

TEST(access_plan, joins_neighbours_into_one_run) {
  const access_plan plan = by_banks(elements(4, [](unsigned lane) { return 256 + 4 * lane; }));
  ASSERT_EQ(plan.runs(), 1U);
  EXPECT_EQ(plan.begin()->address, 256U);
  EXPECT_EQ(plan.begin()->length, 128U);
  EXPECT_EQ(plan.offset(31), 124U);
  EXPECT_EQ(plan.groups(), 1U);
}

TEST(access_plan, joins_neighbours_in_any_order_of_lanes) {
  const access_plan plan = by_banks(elements(4, [](unsigned lane) { return 4 * (31 - lane); }));
  ASSERT_EQ(plan.runs(), 1U);
  EXPECT_EQ(plan.offset(0), 124U);
}

struct stride_case {
  unsigned words, wavefronts, runs;
};

class strides : public testing::TestWithParam<stride_case> {};

/// A stride of 2^n words makes 2^n lanes share a bank (CUDA C++ Programming Guide, shared memory); odd strides never collide.
TEST_P(strides, collide_as_often_as_they_share_banks) {
  const access_plan plan = by_banks(elements(4, [](unsigned lane) { return 4 * GetParam().words * lane; }));
  EXPECT_EQ(plan.groups(), GetParam().wavefronts);
  EXPECT_EQ(plan.conflicts(), GetParam().wavefronts - 1);
  EXPECT_EQ(plan.runs(), GetParam().runs);
}

INSTANTIATE_TEST_SUITE_P(access_plan, strides,
                         testing::Values(stride_case{0, 1, 1}, stride_case{1, 1, 1}, stride_case{2, 2, 32}, stride_case{4, 4, 32},
                                         stride_case{8, 8, 32}, stride_case{16, 16, 32}, stride_case{32, 32, 32}, stride_case{33, 1, 32},
                                         stride_case{3, 1, 32}));

TEST(access_plan, serves_wide_elements_a_part_of_the_warp_at_a_time) {
  EXPECT_EQ(by_banks(elements(8, [](unsigned lane) { return 8 * lane; })).groups(), 2U);
  EXPECT_EQ(by_banks(elements(16, [](unsigned lane) { return 16 * lane; })).groups(), 4U);
  EXPECT_EQ(by_banks(elements(16, [](unsigned lane) { return 16 * lane; })).conflicts(), 0U);
  EXPECT_EQ(by_banks(elements(16, [](unsigned lane) { return 128 * lane; })).groups(), 32U);
}

/// As measured on an H200: LDS.64 and LDS.128 of one address take one and two wavefronts.
TEST(access_plan, serves_one_element_to_twice_as_many_lanes_at_a_time) {
  EXPECT_EQ(by_banks(elements(8, [](unsigned) { return 64; })).groups(), 1U);
  EXPECT_EQ(by_banks(elements(16, [](unsigned) { return 64; })).groups(), 2U);
  EXPECT_EQ(by_banks(elements(
                         16, [](unsigned) { return 64; }, 0x0000ffff))
                .groups(),
            1U);
  EXPECT_EQ(by_banks(elements(
                         16, [](unsigned) { return 64; }, 0x0001ffff))
                .groups(),
            2U)
      << "halves of a warp";
  EXPECT_EQ(by_banks(elements(16, [](unsigned lane) { return lane == 31 ? 0 : 64; })).groups(), 4U);
}

TEST(access_plan, needs_no_wavefront_for_parts_without_lanes) {
  EXPECT_EQ(by_banks(elements(
                         16, [](unsigned lane) { return 16 * lane; }, 0x00ff00ff))
                .groups(),
            2U);
}

TEST(access_plan, serves_parts_of_one_word_together) {
  const access_plan plan = by_banks(elements(1, [](unsigned lane) { return lane; }));
  EXPECT_EQ(plan.groups(), 1U);
  EXPECT_EQ(plan.runs(), 1U);
  EXPECT_EQ(plan.begin()->length, 32U);
}

TEST(access_plan, marks_the_wavefronts_that_conflicts_cost) {
  // The first half warp collides in two ways, the second in none.
  const access_plan plan = by_banks(elements(8, [](unsigned lane) { return lane < 16 ? 128 * (lane / 8) + 8 * (lane % 8) : 8 * lane; }));
  EXPECT_EQ(plan.groups(), 3U);
  EXPECT_EQ(plan.conflict_groups(), 2U) << "the second one";
}

TEST(access_plan, has_nothing_left_when_it_is_cleared) {
  access_plan plan = by_banks(elements(4, [](unsigned lane) { return 128 * lane; }));
  EXPECT_EQ(plan.conflict_groups(), 0xfffffffeU);
  plan.clear();
  EXPECT_EQ(plan.groups(), 0U);
  EXPECT_EQ(plan.runs(), 0U);
  EXPECT_EQ(plan.conflicts(), 0U);
  EXPECT_EQ(plan.conflict_groups(), 0U);
}

/// No wavefront asks a bank for two words, whatever the addresses.
TEST(access_plan, never_uses_a_bank_twice_in_a_wavefront) {
  std::uint32_t state = 12345;
  for (unsigned round = 0; round < 300; ++round) {
    const unsigned bytes = 1U << round % 5;
    const access_plan plan = by_banks(elements(bytes, [&](unsigned) {
      state = state * 1664525 + 1013904223;
      return std::uint64_t{(state >> 8) % 1024} / bytes * bytes;
    }));
    std::array<std::array<std::int64_t, 32>, 32> word_of{};
    for (auto& wavefront : word_of) wavefront.fill(-1);
    for (const access_run& run : plan) {
      for (std::uint64_t byte = run.address; byte < run.address + run.length; ++byte) {
        std::int64_t& word = word_of.at(run.group).at(byte / 4 % 32);
        EXPECT_TRUE(word == -1 || word == static_cast<std::int64_t>(byte / 4));
        word = static_cast<std::int64_t>(byte / 4);
      }
    }
  }
}

TEST(access_plan, makes_a_request_of_each_line) {
  EXPECT_EQ(by_lines(elements(4, [](unsigned lane) { return 4096 + 4 * lane; })).groups(), 1U);
  EXPECT_EQ(by_lines(elements(4, [](unsigned lane) { return 4096 + 64 + 4 * lane; })).groups(), 2U);
  EXPECT_EQ(by_lines(elements(16, [](unsigned lane) { return 16 * lane; })).groups(), 4U);
  EXPECT_EQ(by_lines(elements(4, [](unsigned lane) { return 1024 * lane; })).groups(), 32U);
}

TEST(access_plan, lets_no_run_cross_a_line) {
  const access_plan plan = by_lines(elements(4, [](unsigned lane) { return 64 + 4 * lane; }));
  ASSERT_EQ(plan.runs(), 2U);
  EXPECT_EQ(plan.begin()[0].length, 64U);
  EXPECT_EQ(plan.begin()[1].address, 128U);
}

void expect_the_same(const access_elements& e, const based_plan& kept, const access_plan& made) {
  ASSERT_EQ(kept.plan().runs(), made.runs());
  for (unsigned r = 0; r < made.runs(); ++r) {
    EXPECT_EQ(kept.base + kept.plan().begin()[r].address, made.begin()[r].address);
    EXPECT_EQ(kept.plan().begin()[r].length, made.begin()[r].length);
    EXPECT_EQ(kept.plan().begin()[r].group, made.begin()[r].group);
  }
  EXPECT_EQ(kept.plan().groups(), made.groups());
  EXPECT_EQ(kept.plan().conflict_groups(), made.conflict_groups());
  EXPECT_EQ(kept.plan().is_single_element(), made.is_single_element());
  EXPECT_EQ(kept.base + kept.plan().end_address(), made.end_address());
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
    EXPECT_TRUE(!e.has(lane) || kept.plan().offset(lane) == made.offset(lane)) << lane;
}

/// Patterns come again at other addresses, and others like them.
TEST(access_plans, keep_what_they_would_make) {
  access_plans banks = access_plans::by_banks(32, 4), lines = access_plans::by_lines(128);
  std::mt19937_64 random(5);
  for (unsigned round = 0; round < 2000; ++round) {
    const unsigned bytes = 1U << random() % 5;
    const std::uint64_t base = 0x7f0000000000 + random() % 16 * 16, stride = bytes * (random() % 4), jump = random() % 2 * 4096;
    const access_elements e = elements(
        bytes, [&](unsigned lane) { return base + stride * lane + (lane % 4 == 3 ? jump : 0); },
        random() % 2 == 0 ? 0xffffffff : 1U << random() % 32 | 0xf00U);
    expect_the_same(e, banks.of(e), by_banks(e));
    expect_the_same(e, lines.of(e), by_lines(e));
  }
}

}  // namespace
}  // namespace tc::subcore::load_store_plan_test
