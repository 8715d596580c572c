// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include <tc/memory/wavefront_schedule.hpp>

namespace tc::memory::wavefront_schedule_test {
namespace {

constexpr wavefront_schedule::timing by_two{2, 2};  // the banks are busy as long as a warp waits
constexpr wavefront_schedule::timing by_one{1, 2};

TEST(wavefront_schedule, serves_one_wavefront_at_a_time) {
  wavefront_schedule schedule(by_two);
  EXPECT_EQ(schedule.reserve({}, 10), 12U);
  EXPECT_EQ(schedule.reserve({}, 10), 14U);
  EXPECT_EQ(schedule.reserve({}, 11), 16U);
  EXPECT_EQ(schedule.reserve({}, 30), 32U) << "idle in between";
}

TEST(wavefront_schedule, keeps_the_wavefronts_of_an_announced_access_together) {
  wavefront_schedule schedule(by_two);
  schedule.announce({0, 0}, 1, 10, 3);
  schedule.announce({1, 0}, 1, 11, 1);
  EXPECT_EQ(schedule.end_of({0, 0}, 1, 0, 10), 12U);
  EXPECT_EQ(schedule.end_of({1, 0}, 1, 0, 11), 18U) << "after all three of port 0";
  EXPECT_EQ(schedule.end_of({0, 0}, 1, 2, 10), 16U);
  EXPECT_EQ(schedule.end_of({0, 0}, 1, 1, 10), 14U);
}

/// The same announcements and requests in any order of calls.
TEST(wavefront_schedule, prefers_the_lower_port_whoever_calls_first) {
  for (const bool reversed : {false, true}) {
    wavefront_schedule schedule(by_two);
    const unsigned first = reversed ? 1 : 0, second = 1 - first;
    schedule.announce({first, 0}, 7, 20, 2);
    schedule.announce({second, 0}, 7, 20, 2);
    cycle_t ends[2];
    ends[second] = schedule.end_of({second, 0}, 7, 1, 20);
    ends[first] = schedule.end_of({first, 0}, 7, 1, 20);
    EXPECT_EQ(ends[0], 24U);
    EXPECT_EQ(ends[1], 28U);
  }
}

TEST(wavefront_schedule, lets_chance_choose_among_ports_and_whoever_calls_first_does_not_matter) {
  unsigned lower_first = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    cycle_t ends[2][2];
    for (const unsigned first : {0U, 1U}) {
      wavefront_schedule schedule(by_two, fabric::jitter(seed));
      schedule.announce({first, 0}, 7, 20, 1);
      schedule.announce({1 - first, 0}, 7, 20, 1);
      for (const unsigned port : {0U, 1U}) ends[first][port] = schedule.end_of({port, 0}, 7, 0, 20);
    }
    EXPECT_EQ(ends[0][0], ends[1][0]);
    EXPECT_EQ(ends[0][1], ends[1][1]);
    lower_first += ends[0][0] < ends[0][1] ? 1U : 0U;
  }
  EXPECT_NEAR(lower_first, 100, 30);
}

TEST(wavefront_schedule, prefers_the_earlier_arrival_whatever_the_port) {
  wavefront_schedule schedule(by_two);
  schedule.announce({0, 0}, 1, 21, 1);
  schedule.announce({3, 0}, 1, 20, 1);
  EXPECT_EQ(schedule.end_of({0, 0}, 1, 0, 21), 24U);
  EXPECT_EQ(schedule.end_of({3, 0}, 1, 0, 20), 22U);
}

TEST(wavefront_schedule, lets_announced_accesses_go_before_unannounced_ones_of_their_cycle) {
  wavefront_schedule schedule(by_two);
  schedule.announce({1, 0}, 1, 20, 1);
  EXPECT_EQ(schedule.reserve({}, 20), 24U);
  EXPECT_EQ(schedule.end_of({1, 0}, 1, 0, 20), 22U);
}

TEST(wavefront_schedule, does_not_wait_for_what_arrives_later) {
  wavefront_schedule schedule(by_two);
  schedule.announce({1, 0}, 1, 25, 1);
  EXPECT_EQ(schedule.reserve({}, 20), 22U);
  EXPECT_EQ(schedule.end_of({1, 0}, 1, 0, 25), 27U);
}

TEST(wavefront_schedule, reserves_what_was_not_announced) {
  wavefront_schedule schedule(by_two);
  EXPECT_EQ(schedule.end_of({0, 0}, 1, 0, 10), 12U);
  schedule.announce({0, 0}, 2, 10, 1);
  EXPECT_EQ(schedule.end_of({0, 0}, 2, 0, 10), 14U);
  EXPECT_EQ(schedule.end_of({0, 0}, 2, 1, 10), 16U) << "one more than announced";
}

TEST(wavefront_schedule, gives_another_turn_to_what_comes_too_late) {
  wavefront_schedule schedule(by_two);
  schedule.announce({0, 0}, 1, 10, 2);
  EXPECT_EQ(schedule.end_of({0, 0}, 1, 0, 20), 22U);
  EXPECT_EQ(schedule.end_of({0, 0}, 1, 1, 20), 24U);
}

TEST(wavefront_schedule, keeps_the_wavefronts_of_a_warp_at_a_distance) {
  wavefront_schedule schedule(by_one);
  EXPECT_EQ(schedule.reserve({0, 0}, 10), 11U);
  EXPECT_EQ(schedule.reserve({0, 0}, 10), 13U);
  EXPECT_EQ(schedule.reserve({0, 0}, 20), 21U);
}

TEST(wavefront_schedule, serves_other_warps_in_the_gaps) {
  wavefront_schedule schedule(by_one);
  schedule.announce({0, 0}, 1, 10, 3);
  schedule.announce({0, 1}, 2, 11, 2);
  schedule.announce({1, 0}, 1, 11, 1);
  EXPECT_EQ(schedule.end_of({1, 0}, 1, 0, 11), 16U) << "after the two others";
  EXPECT_EQ(schedule.end_of({0, 0}, 1, 2, 10), 15U);
  EXPECT_EQ(schedule.end_of({0, 1}, 2, 0, 11), 12U);
  EXPECT_EQ(schedule.end_of({0, 1}, 2, 1, 11), 14U);
}

constexpr wavefront_source tensor_stream{4, 0, 1};

TEST(wavefront_schedule, serves_a_wavefront_of_a_stream_in_every_cycle) {
  wavefront_schedule schedule(by_one);
  schedule.announce(tensor_stream, 1, 10, 80);
  for (unsigned i = 0; i < 80; ++i) EXPECT_EQ(schedule.end_of(tensor_stream, 1, i, 10 + i), 11U + i) << i;
}

TEST(wavefront_schedule, lets_warps_come_in_between_a_stream) {
  wavefront_schedule schedule(by_one);
  schedule.announce(tensor_stream, 1, 10, 8);
  schedule.announce({0, 0}, 1, 12, 3);
  EXPECT_EQ(schedule.end_of({0, 0}, 1, 0, 12), 13U) << "the lower port in its cycle";
  EXPECT_EQ(schedule.end_of({0, 0}, 1, 1, 12), 15U) << "at the distance of a warp, as announced before later wavefronts of the stream";
  EXPECT_EQ(schedule.end_of(tensor_stream, 1, 1, 11), 12U);
  EXPECT_EQ(schedule.end_of(tensor_stream, 1, 2, 12), 14U) << "one cycle later";
  EXPECT_EQ(schedule.end_of(tensor_stream, 1, 7, 17), 21U) << "behind all three of the warp";
}

TEST(wavefront_schedule, is_fair_to_a_warp_that_comes_after_a_delayed_stream) {
  wavefront_schedule schedule(by_one);
  schedule.announce(tensor_stream, 1, 10, 40);
  schedule.announce({0, 0}, 1, 10, 4);
  schedule.announce({1, 0}, 1, 20, 1);
  EXPECT_EQ(schedule.end_of({1, 0}, 1, 0, 20), 25U) << "behind what arrived before cycle 20, not behind the whole stream";
}

TEST(wavefront_schedule, lets_a_stream_be_read_in_one_go_at_its_end) {
  wavefront_schedule schedule(by_one);
  schedule.announce(tensor_stream, 1, 10, 4);
  schedule.announce({0, 0}, 1, 13, 1);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(schedule.end_of(tensor_stream, 1, i, 13), 14U) << "went through the banks before";
  EXPECT_EQ(schedule.end_of(tensor_stream, 1, 3, 13), 15U) << "behind the warp";
}

TEST(wavefront_schedule, keeps_streams_of_a_port_apart_that_overlap) {
  wavefront_schedule schedule(by_one);
  schedule.announce(tensor_stream, 1, 10, 3);
  schedule.announce(tensor_stream, 2, 11, 2);
  EXPECT_EQ(schedule.end_of(tensor_stream, 1, 2, 12), 14U);
  EXPECT_EQ(schedule.end_of(tensor_stream, 2, 0, 12), 13U);
  EXPECT_EQ(schedule.end_of(tensor_stream, 2, 1, 12), 15U);
}

/// The most memory that the process had so far.
std::uint64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

TEST(wavefront_schedule, takes_no_memory_for_cycles_in_which_nobody_came) {
  constexpr cycle_t pause = cycle_t{1} << 33;  // a bit for each would be a GiB
  const std::uint64_t before = peak_bytes();
  wavefront_schedule schedule(by_one);
  schedule.announce({0, 0}, 1, pause, 2);
  EXPECT_EQ(schedule.end_of({0, 0}, 1, 1, pause), pause + 3);
  schedule.announce({0, 0, 1}, 2, 2 * pause, 2);
  EXPECT_EQ(schedule.end_of({0, 0, 1}, 2, 1, 2 * pause + 1), 2 * pause + 2) << "of a stream";
  EXPECT_LT(peak_bytes() - before, std::uint64_t{64} << 20);
}

TEST(wavefront_schedule, forgets_everything_on_reset) {
  wavefront_schedule schedule(by_two);
  schedule.announce({0, 0}, 1, 10, 9);
  schedule.reserve({}, 100);
  schedule.reset();
  EXPECT_EQ(schedule.reserve({}, 10), 12U);
}

}  // namespace
}  // namespace tc::memory::wavefront_schedule_test
