// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tc::platform::test {

/// The C header for software, model/tc/platform/tcsim_device.h.
std::string c_header();

/// Tables of docs/platform.md: registers with their fields, the fields of descriptors and completion records, codes.
std::string register_tables();
std::string command_tables();
std::string code_tables();

}  // namespace tc::platform::test
