// SPDX-License-Identifier: Apache-2.0
#include "text_cursor.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include <tc/trace/trace_error.hpp>

namespace tc::trace {
namespace {

/// U+FEFF in UTF-8, with which some editors begin a text.
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

constexpr bool is_delimiter(char c) {
  switch (c) {
    case ' ':
    case '\t':
    case ',':
    case '+':
    case '-':
    case '{':
    case '}':
    case '[':
    case ']':
    case '(':
    case ')':
      return true;
    default:
      return false;
  }
}

}  // namespace

text_cursor::text_cursor(const source_line& line) : line_(line), end_(line.text.size()) {
  if (line_.number == 1 && line_.text.substr(0, byte_order_mark.size()) == byte_order_mark) position_ = byte_order_mark.size();
  if (end_ != 0 && line_.text[end_ - 1] == '\r') --end_;
  while (end_ != 0 && is_blank(line_.text[end_ - 1])) --end_;
}

bool text_cursor::at_end() {
  while (position_ < end_ && is_blank(line_.text[position_])) ++position_;
  return position_ >= end_;
}

char text_cursor::peek() { return at_end() ? '\0' : line_.text[position_]; }

bool text_cursor::accept(std::string_view text) {
  if (at_end() || line_.text.compare(position_, text.size(), text) != 0) return false;
  position_ += text.size();
  return true;
}

void text_cursor::expect(std::string_view text, std::string_view syntax) {
  if (!accept(text)) fail(fmt::format("expected '{}', found '{}'; the form is {}", text, token(), syntax));
}

std::string_view text_cursor::word() {
  if (at_end()) return {};
  const std::size_t begin = position_;
  while (position_ < end_ && !is_blank(line_.text[position_])) ++position_;
  return line_.text.substr(begin, position_ - begin);
}

std::string_view text_cursor::rest() {
  if (at_end()) return {};
  const std::size_t begin = position_;
  position_ = end_;
  return line_.text.substr(begin, end_ - begin);
}

std::uint64_t text_cursor::number(std::string_view what, std::uint64_t least, std::uint64_t most) {
  if (at_end()) fail(fmt::format("{} is missing", what));
  const std::string_view digits = token();
  const bool hexadecimal = digits.size() > 2 && digits[0] == '0' && digits[1] == 'x';
  const char* const begin = digits.data() + (hexadecimal ? 2 : 0);
  std::uint64_t value = 0;
  const auto [stop, status] = std::from_chars(begin, digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
  if (status == std::errc::invalid_argument || stop != digits.data() + digits.size())
    fail(fmt::format("{} must be a number (decimal, or hexadecimal after 0x), not '{}'", what, digits));
  if (status == std::errc::result_out_of_range || value < least || value > most)
    fail(fmt::format("{} is {}; it must be from {} to {}", what, digits, least, most));
  position_ += digits.size();
  return value;
}

std::int64_t text_cursor::signed_number(std::string_view what, std::int64_t most) {
  const bool negative = accept("-");
  if (position_ < end_ && is_blank(line_.text[position_])) fail(fmt::format("{} is missing", what));
  if (position_ + 1 < end_ && line_.text[position_ + 1] == 'x') fail(fmt::format("{} must be a decimal number", what));
  const auto magnitude = static_cast<std::int64_t>(number(what, 0, static_cast<std::uint64_t>(most)));
  return negative ? -magnitude : magnitude;
}

std::uint64_t text_cursor::hex_digits(std::string_view what, std::size_t digits) {
  at_end();
  const std::size_t last = std::min(end_, position_ + digits);
  std::uint64_t value = 0;
  const auto [stop, status] = std::from_chars(line_.text.data() + position_, line_.text.data() + last, value, 16);
  if (status != std::errc{}) fail(fmt::format("{} must be hexadecimal digits without 0x, not '{}'", what, token()));
  position_ = static_cast<std::size_t>(stop - line_.text.data());
  return value;
}

void text_cursor::expect_end(std::string_view syntax) {
  if (!at_end()) fail(fmt::format("unexpected '{}'; the form is {}", line_.text.substr(position_, end_ - position_), syntax));
}

void text_cursor::fail_at(std::size_t position, const std::string& message) const {
  throw trace_error(line_.file, line_.number, position + 1, message);
}

std::string_view text_cursor::token() const {
  std::size_t stop = position_;
  while (stop < end_ && !is_delimiter(line_.text[stop])) ++stop;
  if (stop == position_ && stop < end_) ++stop;
  return line_.text.substr(position_, stop - position_);
}

}  // namespace tc::trace
