// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include <tc/config/described_type.hpp>
#include <tc/config/machine.hpp>
#include <tc/config/parameter_loader.hpp>

namespace tc::config::asynchronous_parameters_test {
namespace {

/// What is wrong with an SM that differs from the default in this assignment; empty if nothing is.
std::string complaint(const std::string& assignment) {
  try {
    make_parameters<sm_parameters>({json_document::parse("{}", "sm.json")}, {assignment});
    return {};
  } catch (const config_error& error) {
    return error.what();
  }
}

TEST(asynchronous_parameters, refuse_steps_that_take_no_time) {
  for (const std::string path : {"barrier_unit.interval_cycles", "barrier_unit.access_cycles", "barrier_unit.wake_cycles",
                                 "bulk_copy.load.start_cycles", "bulk_copy.load.interval_cycles", "bulk_copy.store.complete_cycles"}) {
    EXPECT_EQ(complaint(path + "=1"), "");
    const std::string text = complaint(path + "=0");
    EXPECT_NE(text.find(path + ": must be positive"), std::string::npos) << text;
  }
}

TEST(asynchronous_parameters, refuse_widths_and_depths_that_no_engine_has) {
  for (const std::string path : {"bulk_copy.requests_in_flight", "bulk_copy.load.bytes_per_cycle", "bulk_copy.store.bytes_per_cycle"}) {
    EXPECT_EQ(complaint(path + "=4096"), "");
    for (const std::string value : {"0", "4097"}) {
      const std::string text = complaint(path + "=" + value);
      EXPECT_NE(text.find(path + ": must be from 1 to 4096"), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace tc::config::asynchronous_parameters_test
