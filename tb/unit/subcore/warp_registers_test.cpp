// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/subcore/operands/definedness.hpp>
#include <tc/subcore/operands/side_registers.hpp>
#include <tc/warp/kernel_constants.hpp>

namespace warp_registers_test {

namespace {

using namespace tc::subcore;
using file = tc::isa::register_file;

TEST(side_registers, take_a_value_when_it_becomes_visible) {
  side_registers registers(2);
  registers.write(0, file::uniform, 4, 7, 0xffffffffu, 10);
  registers.write(0, file::uniform, 4, 8, 0xffffffffu, 20);
  EXPECT_EQ(registers.read(0, file::uniform, 4, 9), 0u);
  EXPECT_EQ(registers.read(0, file::uniform, 4, 10), 7u);
  EXPECT_EQ(registers.read(0, file::uniform, 4, 20), 8u);
  EXPECT_EQ(registers.read(1, file::uniform, 4, 20), 0u) << "warps are apart";
}

TEST(side_registers, keep_the_predicate_bits_of_inactive_lanes) {
  side_registers registers(1);
  registers.write(0, file::predicate, 2, 0xffff0000u, 0xffffffffu, 1);
  registers.write(0, file::predicate, 2, 0x000000ffu, 0x0000ffffu, 2);
  EXPECT_EQ(registers.read(0, file::predicate, 2, 2), 0xffff00ffu);
}

TEST(side_registers, keep_the_files_apart) {
  side_registers registers(1);
  registers.write(0, file::predicate, 2, 1, 0xffffffffu, 1);
  registers.write(0, file::uniform_predicate, 2, 2, 0xffffffffu, 1);
  registers.write(0, file::uniform, 2, 3, 0xffffffffu, 1);
  EXPECT_EQ(registers.read(0, file::predicate, 2, 1), 1u);
  EXPECT_EQ(registers.read(0, file::uniform_predicate, 2, 1), 2u);
  EXPECT_EQ(registers.read(0, file::uniform, 2, 1), 3u);
}

TEST(side_registers, have_constants_that_cannot_be_written) {
  side_registers registers(1);
  registers.write(0, file::predicate, tc::isa::true_predicate, 0, 0xffffffffu, 1);
  registers.write(0, file::uniform, tc::isa::zero_uniform_register, 5, 0xffffffffu, 1);
  EXPECT_EQ(registers.read(0, file::predicate, tc::isa::true_predicate, 1), 0xffffffffu);
  EXPECT_EQ(registers.read(0, file::uniform, tc::isa::zero_uniform_register, 1), 0u);
}

TEST(side_registers, forget_what_is_on_its_way_when_a_warp_starts) {
  side_registers registers(1);
  registers.write(0, file::uniform, 1, 5, 0xffffffffu, 10);
  registers.clear(0);
  EXPECT_EQ(registers.read(0, file::uniform, 1, 10), 0u);
}

TEST(definedness, begins_with_nothing_defined) {
  const definedness shadow(1);
  EXPECT_EQ(shadow.of(0, file::vector, 4, 1).lanes, 0xffffffffu);
  EXPECT_EQ(shadow.of(0, file::vector, 4, 1).origin.code, nullptr);
}

TEST(definedness, follows_the_lanes_that_are_written) {
  definedness shadow(1);
  shadow.written(0, file::vector, 4, 2, 0x0000ffffu, {});
  EXPECT_EQ(shadow.of(0, file::vector, 4, 1).lanes, 0xffff0000u);
  EXPECT_EQ(shadow.of(0, file::vector, 5, 1).lanes, 0xffff0000u);
  shadow.written(0, file::vector, 4, 1, 0xffff0000u, {});
  EXPECT_EQ(shadow.of(0, file::vector, 4, 1).lanes, 0u);
  EXPECT_EQ(shadow.of(0, file::vector, 4, 2).lanes, 0xffff0000u) << "an operand is as undefined as its registers together";
}

TEST(definedness, tells_quickly_whether_there_is_an_undefined_register_among_some) {
  definedness shadow(1);
  register_set pair;
  pair.set(tc::links::register_position(file::vector, 254)).set(tc::links::register_position(file::predicate, 3));
  shadow.written(0, file::vector, 254, 1, 0xffffffffu, {});
  EXPECT_TRUE(shadow.is_any_undefined(0, pair));
  shadow.written(0, file::predicate, 3, 1, 0xffffffffu, {});
  EXPECT_FALSE(shadow.is_any_undefined(0, pair));
  shadow.written(0, file::vector, 254, 1, 0x4u, {0x4u, {}});
  EXPECT_TRUE(shadow.is_any_undefined(0, pair));
  shadow.written(0, file::vector, 254, 1, 0x2u, {});
  EXPECT_TRUE(shadow.is_any_undefined(0, pair)) << "another lane";
  shadow.written(0, file::vector, 254, 1, 0x4u, {});
  EXPECT_FALSE(shadow.is_any_undefined(0, pair));
}

TEST(definedness, remembers_who_left_a_register_undefined) {
  definedness shadow(1);
  const tc::isa::instruction producer{};
  shadow.written(0, file::vector, 4, 1, 0xffffffffu, {0x1u, {&producer, 12}});
  EXPECT_EQ(shadow.of(0, file::vector, 4, 1).lanes, 0x1u);
  EXPECT_EQ(shadow.of(0, file::vector, 4, 1).origin.code, &producer);
  EXPECT_EQ(shadow.of(0, file::vector, 4, 1).origin.line, 12u);
}

TEST(definedness, leaves_registers_as_they_were_until_the_write_is_visible) {
  definedness shadow(1);
  const auto lanes_of = [&shadow](unsigned index) { return shadow.of(0, file::vector, index, 1).lanes; };
  shadow.written_from(10, 0, file::vector, 4, 2, 0xffffffffu, {});
  shadow.written_from(8, 0, file::vector, 4, 1, 0xffffu, {});
  shadow.settle(0, 7);
  EXPECT_EQ(lanes_of(4), 0xffffffffu);
  shadow.settle(0, 8);
  EXPECT_EQ(lanes_of(4), 0xffff0000u);
  shadow.settle(0, 10);
  EXPECT_EQ(lanes_of(4), 0u);
  EXPECT_EQ(lanes_of(5), 0u);
  shadow.written_from(20, 0, file::vector, 4, 1, 0xffffffffu, {1, {}});
  shadow.written_from(22, 0, file::vector, 4, 1, 1, {});
  shadow.settle(0, 21);
  EXPECT_EQ(lanes_of(4), 1u) << "what defines it again comes later";
  shadow.settle(0, 22);
  EXPECT_EQ(lanes_of(4), 0u);
}

TEST(definedness, treats_a_uniform_register_as_one_value) {
  definedness shadow(1);
  shadow.written(0, file::uniform, 4, 1, 0x1u, {});
  EXPECT_EQ(shadow.of(0, file::uniform, 4, 1).lanes, 0u);
}

TEST(constant_memory, knows_only_what_was_given) {
  tc::warp::constant_memory constants;
  constants.set(0, 0x160, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(constants.word(0, 0x160), 0x04030201u);
  EXPECT_FALSE(constants.word(0, 0x164)) << "two of its bytes are missing";
  EXPECT_FALSE(constants.word(0, 0x15c));
  EXPECT_FALSE(constants.word(1, 0x160));
}

}  // namespace

}  // namespace warp_registers_test
