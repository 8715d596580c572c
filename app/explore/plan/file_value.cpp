// SPDX-License-Identifier: Apache-2.0
#include "file_value.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tc/config/json_document.hpp>
#include <tc/config/json_text.hpp>
#include <tc/config/parameter_path.hpp>
#include <tc/config/spelling.hpp>

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

namespace {

using tc::config::config_error;

boost::json::string_view view(std::string_view text) { return {text.data(), text.size()}; }

std::string expected_text(const char* expected, const boost::json::value& got) {
  const std::string shown = got.is_object() ? "an object" : got.is_array() ? "an array" : tc::config::compact_text(got);
  return fmt::format("expected {}, got {}", expected, shown);
}

}  // namespace

file_value::file_value(const tc::config::json_document& document, const boost::json::value& value, std::string path)
    : document_(&document), value_(&value), path_(std::move(path)) {}

const boost::json::object& file_value::object() const {
  if (!value_->is_object()) throw error(expected_text("an object", *value_));
  return value_->get_object();
}

bool file_value::has(std::string_view key) const { return object().contains(view(key)); }

file_value file_value::member(std::string_view key) const {
  auto found = find(key);
  if (!found) throw error(fmt::format("\"{}\" is missing", key));
  return *std::move(found);
}

std::optional<file_value> file_value::find(std::string_view key) const {
  const auto* const found = object().if_contains(view(key));
  if (found == nullptr) return std::nullopt;
  return file_value(*document_, *found, tc::config::member_path(path_, key));
}

void file_value::require_keys(const std::vector<std::string>& known) const {
  for (const std::string& key : keys())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw config_error(document_->source(), member(key).position(), name(), tc::config::unknown_name_text("key", key, known));
}

std::vector<std::string> file_value::keys() const {
  std::vector<std::string> names;
  for (const auto& entry : object()) names.emplace_back(entry.key());
  return names;
}

std::vector<file_value> file_value::elements() const {
  if (!value_->is_array()) throw error(expected_text("a list", *value_));
  std::vector<file_value> list;
  for (const auto& element : value_->get_array())
    list.push_back(file_value(*document_, element, tc::config::element_path(path_, list.size())));
  return list;
}

std::string file_value::string() const {
  if (!value_->is_string()) throw error(expected_text("a string", *value_));
  return {value_->get_string().data(), value_->get_string().size()};
}

std::vector<std::string> file_value::strings() const {
  std::vector<std::string> list;
  for (const file_value& element : elements()) list.push_back(element.string());
  return list;
}

double file_value::number() const {
  if (!value_->is_number()) throw error(expected_text("a number", *value_));
  return value_->to_number<double>();
}

bool file_value::boolean() const {
  if (!value_->is_bool()) throw error(expected_text("true or false", *value_));
  return value_->get_bool();
}

std::string file_value::name() const { return path_.empty() ? "sweep" : path_; }

config_error file_value::error(const std::string& message) const { return {document_->source(), position(), name(), message}; }

config_error file_value::error_within(std::string_view file_text, std::size_t offset, const std::string& message) const {
  return {document_->source(), json_string_position(file_text, position(), offset), name(), message};
}

}  // namespace tcsim
