#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace tc::trace {

/// A trace that cannot be run, and the place that says so. what() reads "file:line:column: what is wrong; what would be right".
class trace_error : public std::runtime_error {
 public:
  /// `line` and `column` count from 1; the column counts bytes.
  trace_error(const std::string& file, std::uint64_t line, std::size_t column, const std::string& message);

  const std::string& file() const noexcept { return file_; }
  std::uint64_t line() const noexcept { return line_; }
  std::size_t column() const noexcept { return column_; }

 private:
  std::string file_;
  std::uint64_t line_;
  std::size_t column_;
};

}  // namespace tc::trace
