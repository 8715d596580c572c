// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <systemc>

#include <gtest/gtest.h>

#include <tc/host/host_session.hpp>

// What the C functions say to a program that has a SystemC of its own.

namespace tc::host::test::host_session_test {
namespace {

TEST(host_session, needs_picoseconds) {
  sc_core::sc_set_time_resolution(10, sc_core::SC_PS);
  try {
    host_session::instance().create("gpu", "turing", {"sms=1", "clock_mhz=500"}, {});
    FAIL() << "fine enough for a clock of 500 MHz, but not for times in picoseconds";
  } catch (const host_error& error) {
    EXPECT_EQ(error.status(), TCSIM_BAD_CONFIGURATION);
    EXPECT_NE(std::string(error.what()).find("time resolution"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tc::host::test::host_session_test
