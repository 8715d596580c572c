// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <systemc>

#include <gtest/gtest.h>

#include <tc/fabric/reports.hpp>

namespace tc::fabric::reports_test {
namespace {

TEST(reports, an_error_names_object_cycle_and_text) {
  try {
    error(report::target_phase, "gpu.sm_0.bank_1", 42, "unexpected phase");
    FAIL() << "an error throws";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), report::target_phase);
    EXPECT_STREQ(report.get_msg(), "gpu.sm_0.bank_1: cycle 42: unexpected phase");
    EXPECT_EQ(report.get_severity(), sc_core::SC_ERROR);
    EXPECT_NE(std::string(report.get_file_name()).find("reports_test.cpp"), std::string::npos) << "points at the caller";
  }
}

TEST(reports, an_object_without_a_clock_names_the_time) {
  sc_core::sc_start(sc_core::sc_time(12, sc_core::SC_NS));
  try {
    error(report::target_phase, "peer.memory", "unexpected phase");
    FAIL() << "an error throws";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg(), "peer.memory: 12 ns: unexpected phase");
  }
}

TEST(reports, a_user_can_choose_what_an_error_does) {
  sc_core::sc_report_handler::set_actions(report::target_phase, sc_core::SC_ERROR, sc_core::SC_CACHE_REPORT);
  error(report::target_phase, "peer.memory", 1, "unexpected phase");
  EXPECT_EQ(sc_core::sc_report_handler::get_count(report::target_phase), 1);
}

}  // namespace
}  // namespace tc::fabric::reports_test
