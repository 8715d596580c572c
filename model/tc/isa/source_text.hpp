// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tc::isa {

/// Text that is not a legal instruction: what() says what is wrong and what would be right.
class syntax_error : public std::runtime_error {
 public:
  syntax_error(unsigned column, const std::string& message) : std::runtime_error(message), column_(column) {}

  unsigned column() const { return column_; }  ///< 1-based, in the text handed to the parser

 private:
  unsigned column_;
};

/// A piece of a line that remembers where it stands, so that errors in any part of it can name their column.
class source_text {
 public:
  source_text(std::string_view text, unsigned first_column) : text_(text), first_column_(first_column) {}

  std::string_view view() const { return text_; }
  /// Reports an error at `part`, which must be a piece of this text.
  [[noreturn]] void fail(std::string_view part, const std::string& message) const {
    throw syntax_error(first_column_ + static_cast<unsigned>(part.data() - text_.data()), message);
  }

 private:
  std::string_view text_;
  unsigned first_column_;
};

/// `text` in quotes, for messages.
inline std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

/// `text` without blanks at its ends. Like all pieces here it points into the text it came from.
inline std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return text.substr(text.size());
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Takes the text before the next `separator` off the front of `text`, and the separator with it; all of it if there is none.
inline std::string_view take_until(std::string_view& text, char separator) {
  const std::string_view taken = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), taken.size() + 1));
  return taken;
}

}  // namespace tc::isa
