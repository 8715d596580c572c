// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/engine/barrier_word.hpp>

namespace tc::engine::barrier_word_test {
namespace {

TEST(barrier_word, completes_a_phase_with_its_last_arrival) {
  barrier_word word(3);
  EXPECT_TRUE(word.arrive(2, false));
  EXPECT_FALSE(word.has_completed(false));
  EXPECT_TRUE(word.has_completed(true)) << "the phase before the first";
  EXPECT_TRUE(word.arrive(1, false));
  EXPECT_TRUE(word.has_completed(false));
  EXPECT_FALSE(word.has_completed(true));
  EXPECT_EQ(word.pending_arrivals(), 3U);
}

TEST(barrier_word, waits_for_its_bytes_in_any_order) {
  barrier_word word(1);
  EXPECT_TRUE(word.complete(64)) << "before they are expected";
  EXPECT_EQ(word.pending_bytes(), -64);
  EXPECT_TRUE(word.expect(192));
  EXPECT_TRUE(word.arrive(1, false));
  EXPECT_FALSE(word.has_completed(false));
  EXPECT_TRUE(word.complete(128));
  EXPECT_TRUE(word.has_completed(false));
}

TEST(barrier_word, expects_fewer_arrivals_after_some_were_dropped) {
  barrier_word word(3);
  EXPECT_TRUE(word.arrive(1, true));
  EXPECT_TRUE(word.arrive(2, false)) << "the running phase still expects three";
  EXPECT_TRUE(word.has_completed(false));
  EXPECT_EQ(word.expected_arrivals(), 2U);
  EXPECT_EQ(word.pending_arrivals(), 2U);
}

TEST(barrier_word, refuses_what_it_cannot_hold) {
  barrier_word word(2);
  EXPECT_FALSE(word.arrive(3, false));
  EXPECT_TRUE(word.expect(1000000));
  EXPECT_FALSE(word.expect(100000));
  EXPECT_TRUE(word.complete(1000000));
  EXPECT_TRUE(word.complete(1000000));
  EXPECT_FALSE(word.complete(100000));
  EXPECT_EQ(word.pending_bytes(), -1000000);
  EXPECT_EQ(word.pending_arrivals(), 2U);
}

TEST(barrier_word, fits_into_64_bits) {
  barrier_word word(barrier_word::max_arrivals);
  EXPECT_TRUE(word.arrive(0x12345, true));
  EXPECT_TRUE(word.complete(0xabcde));
  const barrier_word copy = barrier_word::from_bits(word.bits());
  EXPECT_EQ(copy.pending_arrivals(), 0xfffffU - 0x12345U);
  EXPECT_EQ(copy.expected_arrivals(), 0xfffffU - 0x12345U);
  EXPECT_EQ(copy.pending_bytes(), -0xabcde);
  EXPECT_FALSE(copy.parity());

  barrier_word odd(1);
  EXPECT_TRUE(odd.arrive(1, false));
  EXPECT_TRUE(odd.expect(0xabcde));
  EXPECT_TRUE(barrier_word::from_bits(odd.bits()).parity());
  EXPECT_EQ(barrier_word::from_bits(odd.bits()).pending_bytes(), 0xabcde);
}

}  // namespace
}  // namespace tc::engine::barrier_word_test
