// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <tc/trace/step_codec.hpp>

namespace tc::trace::test::step_codec_test {
namespace {

void expect_equal(const step& a, const step& b) {
  EXPECT_EQ(a.code_index, b.code_index);
  EXPECT_EQ(a.pc, b.pc);
  EXPECT_EQ(a.mask, b.mask);
  EXPECT_EQ(a.line, b.line);
  ASSERT_EQ(a.addresses.lanes(), b.addresses.lanes());
  for_each_lane(a.addresses.lanes(), [&](unsigned lane) { EXPECT_EQ(a.addresses[lane], b.addresses[lane]) << lane; });
}

/// Packs the steps, checks that unpacking returns them, and returns the number of bytes.
std::size_t round_trip(const std::vector<step>& steps) {
  std::vector<std::uint8_t> bytes(steps.size() * step_codec::max_step_bytes);
  std::uint8_t* out = bytes.data();
  step_codec encoder(7), decoder(7);
  for (const step& s : steps) {
    std::uint8_t* const end = encoder.encode(s, out);
    EXPECT_LE(end - out, static_cast<std::ptrdiff_t>(step_codec::max_step_bytes));
    out = end;
  }
  const std::uint8_t* in = bytes.data();
  for (const step& s : steps) {
    step read;
    decoder.decode(in, read);
    expect_equal(s, read);
  }
  EXPECT_EQ(in, out);
  return static_cast<std::size_t>(out - bytes.data());
}

TEST(step_codec, packs_straight_code_into_a_byte_a_step) {
  std::vector<step> steps(100);
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    steps[i].code_index = i;
    steps[i].pc = 16 * i;
    steps[i].line = 8 + i;
  }
  EXPECT_EQ(round_trip(steps), steps.size());
}

TEST(step_codec, packs_strided_addresses_independently_of_the_lanes) {
  step s;
  s.line = 8;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) s.addresses.set(lane, 0x10000 - 4 * lane);
  EXPECT_LT(round_trip({s}), 8U);
}

TEST(step_codec, returns_extreme_values) {
  step s;
  s.code_index = 0xffffffff;
  s.pc = 0xffffffff;
  s.mask = 0x80000001;
  s.line = ~std::uint64_t{0};
  s.addresses.set(0, ~std::uint64_t{0});
  s.addresses.set(31, 0);
  step t;
  t.line = 1;
  t.mask = 0;
  t.addresses.set(0, 1);
  for (unsigned lane = 1; lane < warp_lanes; ++lane) t.addresses.set(lane, lane % 2 == 0 ? ~std::uint64_t{0} : 0);
  round_trip({s, t, s});
}

TEST(step_codec, returns_random_steps) {
  std::mt19937_64 random(1);
  std::vector<step> steps(2000);
  for (step& s : steps) {
    s.code_index = static_cast<std::uint32_t>(random() >> (random() % 32 + 32));
    s.pc = static_cast<std::uint32_t>(random());
    s.mask = random() % 4 == 0 ? 0 : static_cast<lane_mask>(random());
    s.line = random() >> 40;
    const lane_mask lanes = random() % 3 == 0 ? 0 : random() % 2 == 0 ? all_lanes : s.mask;
    const unsigned bits = static_cast<unsigned>(random() % 57);
    for_each_lane(lanes, [&](unsigned lane) { s.addresses.set(lane, random() >> (63 - bits)); });
  }
  round_trip(steps);
}

}  // namespace
}  // namespace tc::trace::test::step_codec_test
