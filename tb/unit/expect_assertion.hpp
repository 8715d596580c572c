// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <iostream>
#include <string>

#include <systemc>

#include <gtest/gtest.h>

namespace tc {

/// Reports go to stdout, where a death test does not look.
inline void tell_on_stderr(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  std::cerr << report.get_msg_type() << ": " << report.get_msg() << '\n';
  sc_core::sc_report_handler::default_handler(report, actions);
}

}  // namespace tc

/// The statement must end the process by an assertion whose text has `part`, a regular expression. Without assertions (NDEBUG) the test is
/// left out.
#ifdef NDEBUG
#define EXPECT_ASSERTION(statement, part) GTEST_SKIP() << "assertions are off"
#else
#define EXPECT_ASSERTION(statement, part)                               \
  EXPECT_EXIT(                                                          \
      {                                                                 \
        sc_core::sc_report_handler::set_handler(&::tc::tell_on_stderr); \
        statement;                                                      \
      },                                                                \
      testing::KilledBySignal(SIGABRT), std::string("assertion failed: .*") + (part))
#endif
