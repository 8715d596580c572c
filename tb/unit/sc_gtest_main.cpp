// SPDX-License-Identifier: Apache-2.0
#include <systemc>

#include <gtest/gtest.h>

#include "message_types.hpp"
#include "unwound_stack.hpp"

// An unexpected warning fails the test that caused it.
static void on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  note_message_type(report.get_msg_type());
  if (report.get_severity() == sc_core::SC_WARNING && (actions & sc_core::SC_DISPLAY) != 0) ADD_FAILURE() << report.what();
  sc_core::sc_report_handler::default_handler(report, actions);
}

int sc_main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  sc_core::sc_report_handler::set_handler(on_report);
  const int status = RUN_ALL_TESTS();
  tc::return_to_first_stack();
  return status;
}
