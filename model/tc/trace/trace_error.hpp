// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace tc::trace {

/// A trace that cannot be run, and the place that says so. what() reads "file:line:column: what is wrong; what would be right", or
/// "file: offset 0x1f0: what is wrong" of a packed trace.
class trace_error : public std::runtime_error {
 public:
  /// `line` and `column` count from 1; the column counts bytes.
  trace_error(const std::string& file, std::uint64_t line, std::size_t column, const std::string& message);
  /// `offset` counts bytes of the packed trace from 0.
  static trace_error at_offset(const std::string& file, std::uint64_t offset, const std::string& message);

  const std::string& file() const noexcept { return file_; }
  /// Line and column; both are 0 where the place is an offset.
  std::uint64_t line() const noexcept { return line_; }
  std::size_t column() const noexcept { return column_; }

 private:
  trace_error(const std::string& file, const std::string& text) : std::runtime_error(text), file_(file) {}

  std::string file_;
  std::uint64_t line_ = 0;
  std::size_t column_ = 0;
};

}  // namespace tc::trace
