// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tc/trace/limits.hpp>
#include <tc/trace/progress.hpp>

namespace tc::trace {

/// Reads a text line by line through one buffer; xz and gzip data are recognised by their first byte and unpacked on the way.
class line_reader {
 public:
  static constexpr std::size_t max_line_bytes = std::size_t{1} << 24;

  /// Opens a file, whose compressed data may be so many bytes when they are unpacked. Throws trace_error if it cannot be read, or is
  /// named .xz or .gz and holds something else.
  explicit line_reader(const std::filesystem::path& path, std::uint64_t max_unpacked_bytes = size_limits{}.text_bytes);
  /// Reads `text`, which must outlive the reader; `name` stands for the file in messages.
  line_reader(std::istream& text, std::string name, std::uint64_t max_unpacked_bytes = size_limits{}.text_bytes);
  ~line_reader();
  line_reader(const line_reader&) = delete;
  line_reader& operator=(const line_reader&) = delete;

  /// Tells a listener from now on how many bytes of the file have been read, after each piece. Of a stream of the caller's it tells
  /// nothing.
  void tell_progress(progress_listener listener);

  /// The next line without its line feed, valid until the next call; false at the end of the text. Throws trace_error if the file cannot
  /// be read, its compressed data are damaged, cut off or too many when they are unpacked, or a line is longer than max_line_bytes.
  bool next(std::string_view& line);

  /// The first kilobytes of the text, or all of it if it has no more; before the first call of next(). Throws as next() does.
  std::string_view beginning();

  const std::string& name() const { return name_; }
  /// Number of the line that next() returned last; 0 before the first.
  std::uint64_t line() const { return line_; }
  /// Whether that line ended with a line feed. Only the last line of a text may lack it.
  bool terminated() const { return terminated_; }

 private:
  void unpack(std::istream& raw);
  bool refill();
  void tell_progress();
  void check_length(std::size_t bytes) const;
  [[noreturn]] void fail(const std::string& message) const;

  std::string name_;
  std::uint64_t max_unpacked_bytes_, unpacked_bytes_ = 0;
  std::unique_ptr<std::istream> file_;      ///< null when the caller owns the stream
  std::unique_ptr<std::istream> unpacked_;  ///< null for plain text
  std::istream* text_ = nullptr;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< what of the buffer has been read from the stream but not returned
  std::uint64_t line_ = 0;
  bool terminated_ = true;
  progress_listener progress_;
  std::uint64_t file_bytes_ = 0;
};

}  // namespace tc::trace
