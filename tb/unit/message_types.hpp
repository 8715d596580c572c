// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

/// Notes that a test has met a message type, where TC_REPORT_LOG names a file: tools/error_catalogue.py compares them with those there
/// are.
inline void note_message_type(const char* type) {
  if (const char* const log = std::getenv("TC_REPORT_LOG")) std::ofstream(log, std::ios::app) << std::string(type) + '\n';
}
