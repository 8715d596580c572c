// SPDX-License-Identifier: Apache-2.0
#include "reports.hpp"

#include <string>

#include <fmt/format.h>

#include <tc/fabric/local_time.hpp>

namespace tc::fabric {

void error(const char* type, std::string_view object_path, cycle_t cycle, std::string_view text, const char* file, int line) {
  const std::string message = fmt::format("{}: cycle {}: {}", object_path, cycle, text);
  sc_core::sc_report_handler::report(sc_core::SC_ERROR, type, message.c_str(), file, line);
}

void error(const char* type, std::string_view object_path, std::string_view text, const char* file, int line) {
  const std::string message = fmt::format("{}: {}: {}", object_path, local_time::now().to_string(), text);
  sc_core::sc_report_handler::report(sc_core::SC_ERROR, type, message.c_str(), file, line);
}

}  // namespace tc::fabric
