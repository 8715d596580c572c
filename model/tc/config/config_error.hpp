// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace tc::config {

/// A place in a text file; lines and columns (in bytes) count from 1. Line 0 means "no known place".
struct text_position {
  std::size_t line = 0;
  std::size_t column = 0;
};

/// Something is wrong with a parameter or with the file that sets it.
/// what() reads `file:line:column: path: message`, without the parts that are not known; the root has the path "configuration".
class config_error : public std::runtime_error {
 public:
  /// An error at a parameter whose origin is not known (yet).
  config_error(std::string path, std::string message);
  /// An error in a source: a file, or an assignment of the command line. `position` may be empty.
  config_error(std::string source, text_position position, std::string path, std::string message);

  const std::string& source() const { return source_; }
  text_position position() const { return position_; }
  /// Path of the parameter, e.g. `tensor.threadgroups[1].units`; empty for the root.
  const std::string& path() const { return path_; }
  /// The message alone.
  const std::string& message() const { return message_; }

 private:
  std::string source_;
  text_position position_;
  std::string path_;
  std::string message_;
};

}  // namespace tc::config
