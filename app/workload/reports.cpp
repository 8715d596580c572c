// SPDX-License-Identifier: Apache-2.0
#include "reports.hpp"

#include <iostream>

#include <systemc>

namespace tcsim {

namespace {

void on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if ((actions & sc_core::SC_DISPLAY) != 0) std::cerr << sc_core::sc_report_compose_message(report) << '\n';
  sc_core::sc_report_handler::default_handler(report, actions & ~static_cast<sc_core::sc_actions>(sc_core::SC_DISPLAY));
}

}  // namespace

void set_up_reports() {
  sc_core::sc_report_handler::set_handler(on_report);
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_LOG | sc_core::SC_THROW);
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);  // "Simulation stopped by user", at the end of a run
}

}  // namespace tcsim
