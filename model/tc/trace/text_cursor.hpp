// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tc::trace {

/// One line of a trace and where it stands.
struct source_line {
  const std::string& file;
  std::uint64_t number;  ///< counts from 1
  std::string_view text;
};

/// A reading position in a line. Blanks are spaces and tabs; a carriage return at the end of a line and a byte-order mark at the begin of
/// the first one are not part of it. What cannot be read throws a trace_error at its column.
class text_cursor {
 public:
  explicit text_cursor(const source_line& line);

  /// Offset of the next unread character from the begin of the line.
  std::size_t position() const { return position_; }
  /// Goes on reading at `position`, at most end().
  void skip_to(std::size_t position) { position_ = position; }
  /// Offset of the end of the line, without the blanks there.
  std::size_t end() const { return end_; }
  const source_line& line() const { return line_; }
  /// True if nothing but blanks is left; skips them.
  bool at_end();
  /// Next character that is not blank, '\0' at the end; skips the blanks before it.
  char peek();
  /// Skips blanks; then, if `text` comes next, skips it and returns true.
  bool accept(std::string_view text);
  /// Skips blanks and `text`; an error if something else stands there. `syntax` says what would be right.
  void expect(std::string_view text, std::string_view syntax);
  /// Characters up to the next blank; empty at the end.
  std::string_view word();
  /// What is left, without the blanks around it.
  std::string_view rest();
  /// An unsigned decimal number, or a hexadecimal one after 0x, from `least` to `most`. `what` names it in messages.
  std::uint64_t number(std::string_view what, std::uint64_t least, std::uint64_t most);
  /// A decimal number with an optional sign, from -`most` to `most`.
  std::int64_t signed_number(std::string_view what, std::int64_t most);
  /// Hexadecimal digits without 0x, at least one and at most `digits`.
  std::uint64_t hex_digits(std::string_view what, std::size_t digits);
  /// An error if anything is left.
  void expect_end(std::string_view syntax);

  [[noreturn]] void fail(const std::string& message) const { fail_at(position_, message); }
  [[noreturn]] void fail_at(std::size_t position, const std::string& message) const;

 private:
  /// The unread text up to a character that cannot belong to a word or number, for messages.
  std::string_view token() const;

  source_line line_;
  std::size_t position_ = 0, end_;
};

/// True for the blanks of the format: space and tab.
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace tc::trace
