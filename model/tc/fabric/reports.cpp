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

namespace {

void tell(const char* type, const sc_core::sc_object& where, const std::string& text, const char* file, int line) {
  for (const sc_core::sc_object* each = &where; each != nullptr; each = each->get_parent_object()) {
    // The hierarchy gives its objects as constant only because it was asked through a constant one.
    auto* const listener = dynamic_cast<fault_listener*>(const_cast<sc_core::sc_object*>(each));
    if (listener == nullptr) continue;
    if (listener->take_fault(type, text)) return;
    break;
  }
  sc_core::sc_report_handler::report(sc_core::SC_ERROR, type, text.c_str(), file, line);
}

}  // namespace

void fault(const char* type, const sc_core::sc_object& where, cycle_t cycle, std::string_view text, const char* file, int line) {
  tell(type, where, fmt::format("{}: cycle {}: {}", where.name(), cycle, text), file, line);
}

void fault(const char* type, const sc_core::sc_object& where, std::string_view text, const char* file, int line) {
  tell(type, where, fmt::format("{}: {}: {}", where.name(), local_time::now().to_string(), text), file, line);
}

}  // namespace tc::fabric
