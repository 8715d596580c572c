// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/subcore/operands/register_ports.hpp>

namespace register_ports_test {

namespace {

using tc::subcore::register_ports;

constexpr register_ports::params machine{4, 3};

TEST(register_ports, are_those_of_each_bank) {
  register_ports ports(machine);
  for (unsigned bank = 0; bank < machine.banks; ++bank) {
    for (unsigned port = 0; port < machine.read_ports; ++port) {
      EXPECT_TRUE(ports.can_read(bank, 5)) << "bank " << bank << ", port " << port;
      ports.take_read(bank, 5);
    }
    EXPECT_FALSE(ports.can_read(bank, 5)) << "bank " << bank;
    EXPECT_TRUE(ports.can_read(bank, 6)) << "bank " << bank;
  }
}

TEST(register_ports, are_all_free_again_after_a_reset) {
  register_ports ports(machine);
  for (unsigned bank = 0; bank < machine.banks; ++bank)
    for (unsigned port = 0; port < machine.read_ports; ++port) ports.take_read(bank, 5);
  ports.reset();
  for (unsigned bank = 0; bank < machine.banks; ++bank) {
    EXPECT_TRUE(ports.can_read(bank, 5)) << "bank " << bank;
    for (unsigned port = 1; port < machine.read_ports; ++port) ports.take_read(bank, 5);
    EXPECT_TRUE(ports.can_read(bank, 5)) << "bank " << bank;
  }
}

/// What was booked for a cycle is not booked for the one that comes in its place.
TEST(register_ports, forget_what_is_over_in_all_banks) {
  register_ports ports(machine);
  for (unsigned bank = 0; bank < machine.banks; ++bank)
    for (unsigned port = 0; port < machine.read_ports; ++port) ports.take_read(bank, 5);
  ports.pass_to(6);
  for (unsigned bank = 0; bank < machine.banks; ++bank)
    EXPECT_TRUE(ports.can_read(bank, 5 + tc::subcore::cycle_set::days)) << "bank " << bank;
}

}  // namespace

}  // namespace register_ports_test
