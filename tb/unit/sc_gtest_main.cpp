#include <cstdlib>
#include <fstream>
#include <string>

#include <systemc>

#include <gtest/gtest.h>

// Which message types the tests meet: tb/tools/error_catalogue.py compares them with those there are.
static void note_type(const char* type) {
  if (const char* const log = std::getenv("TC_REPORT_LOG")) std::ofstream(log, std::ios::app) << std::string(type) + '\n';
}

// An unexpected warning fails the test that caused it.
static void on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  note_type(report.get_msg_type());
  if (report.get_severity() == sc_core::SC_WARNING && (actions & sc_core::SC_DISPLAY) != 0) ADD_FAILURE() << report.what();
  sc_core::sc_report_handler::default_handler(report, actions);
}

int sc_main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  sc_core::sc_report_handler::set_handler(on_report);
  return RUN_ALL_TESTS();
}
