// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace tc::machine_code {

/// Something is wrong with a file of machine code. what() reads `file: what is wrong, and where`.
class code_error : public std::runtime_error {
 public:
  code_error(const std::string& file, const std::string& message) : std::runtime_error(file + ": " + message) {}
};

}  // namespace tc::machine_code
