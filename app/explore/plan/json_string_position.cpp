// SPDX-License-Identifier: Apache-2.0
#include "json_string_position.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include <tc/config/json_outline.hpp>

namespace tcsim {

namespace {

std::size_t offset_of(std::string_view text, tc::config::text_position place) {
  std::size_t begin = 0;
  for (std::size_t line = 1; line < place.line; ++line) begin = text.find('\n', begin) + 1;
  return begin + place.column - 1;
}

/// The closing quote of the string that opens at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; text[at] != '"'; ++at) at += text[at] == '\\' ? 1U : 0U;
  return at;
}

std::size_t behind_space(std::string_view text, std::size_t at) { return std::min(text.find_first_not_of(" \t\r\n", at), text.size()); }

/// Bytes of the text, and of the string's value, that the character at `at` takes.
struct character_bytes {
  std::size_t text, value;
};

character_bytes bytes_at(std::string_view text, std::size_t at) {
  if (text[at] != '\\') return {1, 1};
  if (text[at + 1] != 'u') return {2, 1};
  const auto code = std::strtoul(std::string(text.substr(at + 2, 4)).c_str(), nullptr, 16);
  if (code >= 0xd800 && code < 0xdc00) return {12, 4};  // two escapes for one character
  return {6, code < 0x80 ? 1U : code < 0x800 ? 2U : 3U};
}

}  // namespace

tc::config::text_position json_string_position(std::string_view text, tc::config::text_position place, std::size_t offset) {
  std::size_t at = offset_of(text, place);
  const std::size_t behind = behind_space(text, end_of_string(text, at) + 1);
  if (behind < text.size() && text[behind] == ':') at = text.find('"', behind);
  ++at;
  for (std::size_t bytes = 0; bytes < offset;) {
    const auto character = bytes_at(text, at);
    at += character.text;
    bytes += character.value;
  }
  return tc::config::position_at(text, at);
}

}  // namespace tcsim
