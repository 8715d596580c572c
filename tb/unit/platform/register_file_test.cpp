// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/platform/register_file.hpp>

namespace tc::platform::test::register_file_test {
namespace {

using namespace registers;

constexpr std::uint32_t some_capabilities = 0x13;

/// Registers of a device whose clock software can set.
struct software {
  register_file file{75, some_capabilities};
  std::uint64_t cycle = 0;

  std::uint32_t read(const device_register& from) { return file.read(from.offset, cycle, false); }
  bool read(const register_field& field) { return (read(*field.of) & field.mask()) != 0; }
  register_file::effect write(const device_register& to, std::uint32_t value) { return file.write(to.offset, value); }
  void make_ring(std::uint32_t entries) {
    write(ring_base_low, 0x1000);
    write(ring_entries, entries);
    write(control, fields::enable.mask());
  }
  void end(command_status status, bool interrupts = false) { file.end_command(7, status, interrupts); }
};

TEST(register_file, has_the_reset_values_of_the_map) {
  software s;
  for (const device_register* each : all) {
    const std::uint32_t expected = each == &architecture ? 75 : each == &capabilities ? some_capabilities : each->reset;
    EXPECT_EQ(s.file.peek(each->offset, 0, true), expected) << each->name;
  }
}

TEST(register_file, keeps_what_is_written_to_all_that_can_be) {
  software s;
  s.write(ring_entries, 8);
  for (const device_register* each :
       {&interrupt_enable, &ring_base_low, &ring_base_high, &ring_entries, &time_limit_low, &time_limit_high}) {
    EXPECT_TRUE(register_file::is_writable(each->offset));
    EXPECT_EQ(s.write(*each, 0xf), register_file::effect::none);
    EXPECT_EQ(s.read(*each), 0xfu) << each->name;
  }
  for (const device_register* each : all)
    EXPECT_EQ(register_file::is_writable(each->offset), each->access != register_access::read_only) << each->name;
}

TEST(register_file, latches_the_high_half_of_the_cycle_counter) {
  software s;
  s.cycle = 0x1ffffffff;
  EXPECT_EQ(s.file.peek(cycles_low.offset, s.cycle, false), 0xffffffffu);
  EXPECT_EQ(s.read(cycles_high), 0u);
  EXPECT_EQ(s.read(cycles_low), 0xffffffffu);
  s.cycle = 0x200000000;
  EXPECT_EQ(s.read(cycles_high), 1u);
  EXPECT_EQ(s.read(cycles_low), 0u);
  EXPECT_EQ(s.read(cycles_high), 2u);
}

TEST(register_file, causes_are_cleared_by_ones_and_drive_the_interrupt_where_enabled) {
  software s;
  s.make_ring(4);
  EXPECT_EQ(s.write(tail, 1), register_file::effect::look);
  s.end(command_status::mismatch, true);
  const std::uint32_t all_three = fields::command_done.mask() | fields::fault.mask() | fields::queue_empty.mask();
  EXPECT_EQ(s.read(interrupt_cause), all_three);
  EXPECT_FALSE(s.file.interrupt());
  s.write(interrupt_enable, fields::fault.mask());
  EXPECT_TRUE(s.file.interrupt());
  s.write(interrupt_cause, fields::fault.mask());
  EXPECT_FALSE(s.file.interrupt());
  EXPECT_EQ(s.read(interrupt_cause), all_three & ~fields::fault.mask());
}

TEST(register_file, tells_how_the_latest_command_ended) {
  software s;
  s.make_ring(3);
  s.write(tail, 2);
  EXPECT_EQ(s.file.queued(), 2u);
  EXPECT_EQ(s.file.descriptor_address(1), 0x1080u);
  s.end(command_status::timeout);
  EXPECT_EQ(s.read(head), 1u);
  EXPECT_EQ(s.read(latest_status), code_of(command_status::timeout));
  EXPECT_EQ(s.read(latest_identifier), 7u);
  EXPECT_TRUE(s.read(fields::faulted));
  s.write(tail, 0);  // wraps
  EXPECT_EQ(s.file.queued(), 2u);
  s.end(command_status::done);
  s.end(command_status::done);
  EXPECT_FALSE(s.read(fields::faulted));
  EXPECT_EQ(s.read(head), 0u);
  EXPECT_EQ(s.read(completed), 3u);
}

TEST(register_file, the_ring_stays_while_commands_are_queued) {
  software s;
  s.make_ring(4);
  s.write(tail, 1);
  for (const device_register* each : {&ring_base_low, &ring_base_high, &ring_entries}) s.write(*each, 0x80);
  EXPECT_EQ(s.read(ring_base_low), 0x1000u);
  EXPECT_EQ(s.read(ring_base_high), 0u);
  EXPECT_EQ(s.read(ring_entries), 4u);
  s.end(command_status::done);
  s.write(ring_entries, 0x80);
  EXPECT_EQ(s.read(head), 0u);
  EXPECT_EQ(s.read(tail), 0u);
}

TEST(register_file, a_tail_that_makes_no_sense_is_a_mistake_of_the_queue) {
  const auto mistake_of = [](std::uint32_t base, std::uint32_t entries, std::uint32_t first, std::uint32_t second) {
    software s;
    s.write(ring_base_low, base);
    s.write(ring_entries, entries);
    s.write(tail, first);
    s.write(tail, second);
    return s.file.ring_mistake();
  };
  EXPECT_EQ(mistake_of(0x1000, 4, 2, 3), "");
  EXPECT_EQ(mistake_of(0x1040, 4, 2, 3), "ring_base is 0x1040: it must be a multiple of 128, the size of a descriptor");
  EXPECT_EQ(mistake_of(0x1000, 1, 0, 0), "ring_entries is 1: it must be 2 or more");
  EXPECT_EQ(mistake_of(0x1000, 4, 2, 4), "tail 4 is not less than ring_entries, 4");
  EXPECT_EQ(mistake_of(0x1000, 4, 2, 1), "tail 1 takes commands back: it was 2, and head is 0");
}

TEST(register_file, a_ring_may_have_as_many_entries_as_the_register_has_values) {
  software s;
  s.make_ring(0xffffffff);
  s.write(tail, 0xfffffffe);
  EXPECT_EQ(s.file.ring_mistake(), "");
  EXPECT_EQ(s.file.queued(), 0xfffffffeu);
  EXPECT_EQ(s.file.descriptor_address(0xfffffffd), 0x1000 + 0xfffffffdull * 128);
  for (unsigned i = 0; i < 3; ++i) s.end(command_status::done);
  EXPECT_EQ(s.file.descriptor_address(0xfffffffd), 0x1000 + 0x1ull * 128) << "behind the last entry follows the first";
  s.write(tail, 1);
  EXPECT_EQ(s.file.ring_mistake(), "");
  EXPECT_EQ(s.file.queued(), 0xfffffffdu);
}

TEST(register_file, nothing_is_queued_after_a_mistake_until_a_reset) {
  software s;
  s.make_ring(4);
  s.write(tail, 9);
  s.file.fail_queue();
  EXPECT_TRUE(s.read(fields::queue_error));
  EXPECT_TRUE(s.read(fields::fault));
  s.write(tail, 1);
  EXPECT_EQ(s.file.queued(), 0u);
  EXPECT_FALSE(s.file.enabled());
}

TEST(register_file, a_reset_gives_the_first_values_and_is_told_when_done) {
  software s;
  s.make_ring(4);
  s.write(interrupt_enable, 1);
  s.write(time_limit_low, 5);
  s.write(tail, 1);
  EXPECT_EQ(s.write(control, fields::reset.mask() | fields::enable.mask()), register_file::effect::reset);
  s.cycle = 100;
  s.file.begin_reset(90);
  EXPECT_EQ(s.read(cycles_low), 10u);
  EXPECT_TRUE(s.read(fields::resetting));
  for (const device_register* each : {&control, &interrupt_enable, &ring_base_low, &ring_entries, &tail, &time_limit_low, &interrupt_cause})
    EXPECT_EQ(s.read(*each), 0u) << each->name;
  s.file.end_reset();
  EXPECT_FALSE(s.read(fields::resetting));
  EXPECT_EQ(s.read(interrupt_cause), fields::reset_done.mask());
}

}  // namespace
}  // namespace tc::platform::test::register_file_test
