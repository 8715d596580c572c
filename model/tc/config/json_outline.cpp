// SPDX-License-Identifier: Apache-2.0
#include "json_outline.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tc/config/parameter_path.hpp>

namespace tc::config {

namespace {

/// Walks the text and the parsed value side by side. The text is known to be valid, so each step only looks for the end of a token. Of keys
/// that are there twice the parsed value has the last one alone: what stands at the others has no counterpart in it, or one of another
/// kind.
class outline_scanner {
 public:
  outline_scanner(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  void value(boost::json::value* parsed, const std::string& path) {
    skip_space();
    positions_.emplace(path, position());  // a member's key was recorded before, and stays
    if (text_[at_] == '{') {
      object(parsed == nullptr ? nullptr : parsed->if_object(), path);
    } else if (text_[at_] == '[') {
      array(parsed == nullptr ? nullptr : parsed->if_array(), path);
    } else {
      const auto token = scalar();
      if (parsed != nullptr && parsed->is_double()) *parsed = exact_double(token, parsed->get_double(), path);
    }
  }

  std::map<std::string, text_position> take_positions() { return std::move(positions_); }

 private:
  void object(boost::json::object* parsed, const std::string& path) {
    ++at_;
    while (skip_separators() != '}') {
      const auto place = position();
      const std::string key(boost::json::parse(scalar()).as_string());
      const std::string key_path = member_path(path, key);
      const auto [first, is_new] = positions_.emplace(key_path, place);
      if (!is_new) throw config_error(source_, place, key_path, fmt::format("duplicate key, first given in line {}", first->second.line));
      skip_space();
      ++at_;  // the colon
      value(parsed == nullptr ? nullptr : parsed->if_contains(key), key_path);
    }
    ++at_;
  }

  void array(boost::json::array* parsed, const std::string& path) {
    ++at_;
    for (std::size_t i = 0; skip_separators() != ']'; ++i)
      value(parsed == nullptr ? nullptr : parsed->if_contains(i), element_path(path, i));
    ++at_;
  }

  /// The token of a string, number or literal that starts here.
  std::string_view scalar() {
    const std::size_t begin = at_;
    if (text_[at_] == '"') {
      for (++at_; text_[at_] != '"'; ++at_) at_ += text_[at_] == '\\' ? 1U : 0U;
      ++at_;
    } else {
      at_ = std::min(text_.find_first_of(",]}/ \t\r\n", at_), text_.size());
    }
    return text_.substr(begin, at_ - begin);
  }

  double exact_double(std::string_view token, double approximate, const std::string& path) const {
    double exact = approximate;
    const auto result = std::from_chars(token.data(), token.data() + token.size(), exact);
    if (result.ec == std::errc::result_out_of_range && std::abs(approximate) > 1.0) {
      const auto place = positions_.find(path);
      throw config_error(source_, place->second, path, fmt::format("{} is too large for a number", token));
    }
    return exact;
  }

  void skip_space() {
    for (;;) {
      at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
      if (at_ == text_.size() || text_[at_] != '/') return;
      at_ = text_[at_ + 1] == '*' ? text_.find("*/", at_ + 2) + 2 : std::min(text_.find('\n', at_), text_.size());
    }
  }

  /// Skips space and commas; the character that follows.
  char skip_separators() {
    for (skip_space(); text_[at_] == ','; skip_space()) ++at_;
    return text_[at_];
  }

  /// Line and column of what follows; counts on from where it was asked last.
  text_position position() {
    for (; counted_ < at_; ++counted_)
      if (text_[counted_] == '\n') {
        ++line_;
        line_begin_ = counted_ + 1;
      }
    return {line_, at_ - line_begin_ + 1};
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0, line_ = 1, line_begin_ = 0;  ///< of position()
  std::map<std::string, text_position> positions_;
};

}  // namespace

std::map<std::string, text_position> outline_json(std::string_view text, boost::json::value& root, const std::string& source,
                                                  const std::string& path) {
  outline_scanner scanner(text, source);
  scanner.value(&root, path);
  return scanner.take_positions();
}

text_position position_at(std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, offset);
  const auto last_newline = before.rfind('\n');
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          before.size() - (last_newline == std::string_view::npos ? 0 : last_newline + 1) + 1};
}

}  // namespace tc::config
