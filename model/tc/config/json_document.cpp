// SPDX-License-Identifier: Apache-2.0
#include "json_document.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <ostream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tc/config/built_in_files.hpp>
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

namespace {

/// Where the word begins in which the parser stopped; the offset itself if it did not stop at a letter.
std::size_t token_begin(std::string_view text, std::size_t offset) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (offset == text.size() || !is_letter(text[offset])) return offset;
  while (offset > 0 && is_letter(text[offset - 1])) --offset;
  return offset;
}

/// The rest of the line from an offset on, up to a few characters.
std::string excerpt(std::string_view text, std::size_t offset) {
  constexpr std::size_t longest = 20;
  const auto rest = text.substr(offset, longest);
  const auto line = rest.substr(0, rest.find_first_of("\r\n"));
  return line.empty() ? std::string("at the end of the line") : fmt::format("at `{}`", line);
}

boost::json::value parse_text(std::string_view text, const std::string& source, const std::string& path) {
  boost::json::parse_options options;
  options.allow_comments = true;
  options.allow_trailing_commas = true;
  options.max_depth = json_document::max_depth;
  boost::json::stream_parser parser({}, options);
  boost::json::error_code error;
  const std::size_t consumed = std::min(parser.write(text.data(), text.size(), error), text.size());
  if (error) {
    const std::size_t begin = token_begin(text, consumed);
    throw config_error(source, position_at(text, begin), path, fmt::format("{} {}", error.message(), excerpt(text, begin)));
  }
  parser.finish(error);
  if (error) throw config_error(source, position_at(text, text.size()), path, "the text ends before the JSON value is complete");
  return parser.release();
}

/// The places at and below `from`, which is now called `to`.
json_document::position_map rebased(const json_document::position_map& positions, const std::string& from, const std::string& to) {
  json_document::position_map below;
  for (auto place = positions.lower_bound(from); place != positions.end(); ++place) {
    const std::string& path = place->first;
    if (path.compare(0, from.size(), from) != 0) break;
    const bool is_member = path.size() == from.size() || from.empty() || path[from.size()] == '.' || path[from.size()] == '[';
    if (is_member) below.emplace(to + path.substr(from.size()), place->second);
  }
  return below;
}

}  // namespace

json_document::json_document(boost::json::value root, std::string source, std::string path)
    : root_(std::move(root)), source_(std::move(source)), path_(std::move(path)) {}

json_document json_document::parse(std::string_view text, std::string source, std::string path) {
  auto root = parse_text(text, source, path);
  json_document document(std::move(root), std::move(source), std::move(path));
  document.positions_ = outline_json(text, document.root_, document.source_, document.path_);
  return document;
}

boost::json::value json_document::value_of(std::string_view text, const std::string& source) { return parse_text(text, source, ""); }

std::string json_document::read(const std::filesystem::path& file) {
  const auto fail = [&](int code) {
    throw config_error(file.string(), {}, "", fmt::format("cannot read the file: {}", std::generic_category().message(code)));
  };
  if (is_folder(file)) fail(EISDIR);
  std::ifstream in(file, std::ios::binary);
  if (!in) fail(errno);
  std::string text;
  std::array<char, 4096> piece{};
  do {
    in.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > max_file_bytes)
      throw config_error(file.string(), {}, "", fmt::format("the file is longer than {} bytes", max_file_bytes));
  } while (in);
  if (in.bad()) fail(EIO);
  if (text.rfind("\xff\xfe", 0) == 0 || text.rfind("\xfe\xff", 0) == 0)
    throw config_error(file.string(), {}, "", "the file is a text in UTF-16; write it as UTF-8");
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.rfind(byte_order_mark, 0) == 0) text.erase(0, byte_order_mark.size());
  return text;
}

json_document json_document::load(const std::filesystem::path& file) { return parse(read(file), file.string()); }

json_document json_document::of_word(std::string_view word, std::string source, std::string path) {
  return {boost::json::value(boost::json::string_view(word.data(), word.size())), std::move(source), std::move(path)};
}

text_position json_document::position_of(const std::string& path) const {
  const auto place = positions_.find(path);
  return place == positions_.end() ? text_position{} : place->second;
}

json_document json_document::part(const boost::json::value& value, const std::string& path) const {
  json_document inner(value, source_, path);
  inner.positions_ = rebased(positions_, path, path);
  return inner;
}

json_document json_document::standing_at(const std::string& path) const {
  json_document same(root_, source_, path);
  same.positions_ = rebased(positions_, path_, path);
  return same;
}

boost::json::value json_document::take(std::string_view key) {
  auto* members = root_.if_object();
  if (members == nullptr) return nullptr;
  const auto entry = members->find(boost::json::string_view(key.data(), key.size()));
  if (entry == members->end()) return nullptr;
  boost::json::value taken = std::move(entry->value());
  members->erase(entry);
  return taken;
}

}  // namespace tc::config
