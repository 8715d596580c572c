// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <tc/device/trace_content.hpp>
#include <tc/fabric/reports.hpp>

#include "test_machine.hpp"

namespace tc::device::test::trace_content_test {
namespace {

struct place : sc_core::sc_module {
  explicit place(const sc_core::sc_module_name& name) : sc_module(name) {}
};

/// No text has a warp twice, but a packed trace may, and it is read as a whole only when somebody asks for that.
TEST(trace_content, a_warp_that_has_been_found_before_is_a_fault) {
  std::istringstream text(kernel_header(1, 1) + cta_line(0) + warp_line(0) + "/*0000*/ EXIT\n");
  const trace::trace trace = trace::trace::read(text, "example.trace");
  const kernel kernel(0, {"example.trace", &trace}, preset("turing"));
  const place where("place");
  const std::optional<trace::warp_player> warp = play_warp(where, kernel, trace.ctas()[0], 0, 0, 0);
  ASSERT_TRUE(warp);
  EXPECT_EQ(warp->warp(), 0U);
  try {
    play_warp(where, kernel, trace.ctas()[0], 0, 1, 0);
    FAIL() << "no fault";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), fabric::report::trace_content);
    EXPECT_NE(std::string(report.get_msg()).find("example.trace:7:1: warp 0 is given twice in this CTA"), std::string::npos)
        << report.get_msg();
  }
}

}  // namespace
}  // namespace tc::device::test::trace_content_test
