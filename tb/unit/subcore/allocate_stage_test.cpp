// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/subcore/operands/allocate_stage.hpp>

#include "expect_assertion.hpp"

namespace allocate_stage_test {

namespace {

using namespace tc::subcore;

/// Registers of so many operands in the even and the odd bank, in no slot.
allocate_stage::demand reads_of(unsigned even, unsigned odd, bool has_result = false) {
  allocate_stage::demand needs;
  for (unsigned r = 0; r < even; ++r) needs.read({0});
  for (unsigned r = 0; r < odd; ++r) needs.read({1});
  needs.has_result = has_result;
  return needs;
}

/// Enters equal instructions as fast as the stage lets them; the cycle after the last.
cycle_t cycles_of(unsigned instructions, const allocate_stage::demand& needs) {
  register_ports ports({});
  allocate_stage stage(ports, 3);
  cycle_t cycle = 0;
  for (unsigned entered = 0; entered < instructions; ++cycle) {
    stage.advance(cycle);
    if (stage.stands_still()) continue;
    stage.enter(needs);
    ++entered;
  }
  return cycle;
}

// One register a cycle and bank: 100 instructions with three registers in a bank take 300 cycles, less what the last ones still read.
TEST(allocate_stage, takes_as_many_cycles_as_a_bank_has_registers_to_read) {
  EXPECT_EQ(cycles_of(100, reads_of(1, 1)), 100u);
  EXPECT_NEAR(static_cast<double>(cycles_of(100, reads_of(2, 1))), 200, 6);
  EXPECT_NEAR(static_cast<double>(cycles_of(100, reads_of(3, 0))), 300, 6);
}

TEST(allocate_stage, counts_the_cycles_in_which_it_stands_still) {
  register_ports ports({});
  allocate_stage stage(ports, 3);
  for (cycle_t cycle = 4; cycle < 10; ++cycle) ports.take_read(0, cycle);
  stage.advance(0);
  stage.enter(reads_of(1, 0));
  stage.advance(20);  // in Allocate in cycle 2, which finds cycle 2 free
  EXPECT_EQ(stage.lost_cycles(), 0u);
  stage.advance(2 + 20);
  for (cycle_t cycle = 24; cycle < 30; ++cycle) ports.take_read(0, cycle);
  stage.enter(reads_of(1, 0));  // in Allocate in cycle 24: from cycle 28 on the window reaches 30
  stage.advance(60);
  EXPECT_EQ(stage.lost_cycles(), 4u);
}

TEST(allocate_stage, holds_one_instruction_in_each_stage) {
  register_ports ports({});
  allocate_stage stage(ports, 3);
  stage.advance(0);
  stage.enter(reads_of(1, 0));
  EXPECT_ASSERTION(stage.enter(reads_of(1, 0)), "control_.occupied");
}

TEST(allocate_stage, grants_each_register_a_port_of_its_bank) {
  register_ports ports({});
  allocate_stage stage(ports, 3);
  allocate_stage::demand needs;
  needs.read({2});
  stage.advance(0);
  EXPECT_ASSERTION(stage.enter(needs), "ports_.banks");
}

/// Adds up what it is told.
class port_listener final : public tc::links::operand_observer {
 public:
  void ports_are_booked() override {}
  void port_granted(const tc::links::register_reader&, const tc::links::register_run& read, cycle_t begin, cycle_t end) override {
    registers += read.registers;
    EXPECT_EQ(end, begin + 1);
  }
  void port_missed(const tc::links::register_reader&, unsigned bank, cycle_t) override {
    EXPECT_EQ(bank, 0U);
    ++missed;
  }
  void stands_still(const tc::links::register_reader&, cycle_t) override { ++standstills; }
  void reused(const tc::links::warp_instruction&, unsigned) override {}

  unsigned registers = 0;
  cycle_t missed = 0, standstills = 0;
};

TEST(allocate_stage, tells_of_each_register_and_of_each_cycle_in_which_it_stands_still) {
  register_ports ports({});
  allocate_stage stage(ports, 3);
  port_listener told;
  stage.tell(&told);
  cycle_t cycle = 0;
  for (unsigned entered = 0; entered < 10; ++cycle) {
    stage.advance(cycle);
    if (stage.stands_still()) continue;
    stage.enter(reads_of(4, 1, true));
    ++entered;
  }
  for (; stage.is_occupied(); ++cycle) stage.advance(cycle);
  EXPECT_EQ(told.registers, 50U);
  EXPECT_GT(stage.lost_cycles(), 20U);
  EXPECT_EQ(told.standstills, stage.lost_cycles());
  EXPECT_EQ(told.missed, told.standstills) << "the even bank in each, the odd one in none";
}

TEST(register_ports, are_free_again_when_their_cycles_have_passed) {
  register_ports ports({2, 2});
  ports.pass_to(60);
  for (const unsigned bank : {0U, 1U}) ports.take_reads(bank, {62, 5});
  EXPECT_TRUE(ports.can_read(0, 64));
  ports.take_read(0, 64);
  ports.take_read(0, 64);  // a third, for which there is no port
  EXPECT_FALSE(ports.can_read(0, 64));
  EXPECT_TRUE(ports.can_read(0, 63) && ports.can_read(0, 65) && ports.can_read(1, 64));
  ports.pass_to(65);
  ports.take_read(0, 66);
  EXPECT_FALSE(ports.can_read(0, 66));
  EXPECT_TRUE(ports.can_read(0, 64 + 64)) << "the bit of cycle 64";
}

TEST(allocate_stage, waits_for_the_write_port) {
  register_ports ports({});
  allocate_stage stage(ports, 3);
  port_listener told;
  stage.tell(&told);
  ports.take_writes({12, 1});
  stage.advance(10);
  stage.enter(reads_of(1, 0, true));
  stage.advance(30);
  EXPECT_EQ(stage.lost_cycles(), 1u);
  EXPECT_EQ(told.standstills, 1U);
  EXPECT_EQ(told.missed, 0U) << "a read port was free";
}

TEST(allocate_stage, lets_instructions_without_a_result_pass_a_taken_write_port) {
  register_ports ports({});
  allocate_stage stage(ports, 3);
  ports.take_writes({12, 1});
  stage.advance(10);
  stage.enter(reads_of(0, 0));
  stage.advance(30);
  EXPECT_EQ(stage.lost_cycles(), 0u);
}

/// One register of the even bank in this slot.
allocate_stage::demand read_in_slot(unsigned slot, cycle_t earliest = 0) {
  allocate_stage::demand needs;
  needs.read({0, static_cast<std::uint8_t>(slot), 1, earliest});
  needs.use_latch(slot, 0);
  return needs;
}

// The first keeps the latch of its slot to the end of its window, cycle 14; the second can read in the cycle behind only, which is the last
// of its own window.
TEST(allocate_stage, waits_for_the_latch_of_an_operand_slot) {
  for (const unsigned second : {0u, 1u}) {
    register_ports ports({});
    allocate_stage stage(ports, 3);
    stage.advance(10);
    stage.enter(read_in_slot(0));
    stage.advance(11);
    stage.enter(read_in_slot(second));
    ports.take_read(0, 15);
    stage.advance(30);
    EXPECT_EQ(stage.lost_cycles(), second == 0 ? 1u : 0u);
  }
}

// In Allocate in cycle 12, with a window to cycle 14: a result of cycle 14 is read then or, if the port is taken, as much later as the
// front end stood still, because the producer stood still as well.
TEST(allocate_stage, reads_a_result_when_it_is_there) {
  for (const cycle_t taken : {13u, 14u}) {
    register_ports ports({});
    allocate_stage stage(ports, 3);
    ports.take_read(0, taken);
    stage.advance(10);
    stage.enter(read_in_slot(0, 14));
    stage.advance(30);
    EXPECT_EQ(stage.lost_cycles(), taken == 14 ? 1u : 0u);
  }
}

TEST(allocate_stage, counts_earliest_reads_in_cycles_in_which_the_front_end_moves) {
  register_ports ports({});
  allocate_stage stage(ports, 3);
  ports.take_writes({2, 1});
  stage.advance(0);
  stage.enter(reads_of(0, 0, true));
  stage.advance(5);
  ASSERT_EQ(stage.lost_cycles(), 1u);
  stage.advance(10);
  ports.take_read(0, 14);
  stage.enter(read_in_slot(0, 13));  // cycle 14 of the clock
  stage.advance(30);
  EXPECT_EQ(stage.lost_cycles(), 2u);
}

}  // namespace

}  // namespace allocate_stage_test
