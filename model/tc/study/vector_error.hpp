// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace tc::study {

/// Something is wrong with a vector file. what() reads `file: what is wrong, what would be right`.
class vector_error : public std::runtime_error {
 public:
  vector_error(const std::string& file, const std::string& message) : std::runtime_error(file + ": " + message) {}
};

}  // namespace tc::study
