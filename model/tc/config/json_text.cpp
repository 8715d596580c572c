// SPDX-License-Identifier: Apache-2.0
#include "json_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include <tc/config/config_error.hpp>
#include <tc/isa/utf8.hpp>

namespace tc::config {

namespace {

using boost::json::value;

std::string number_text(double number) {
  if (!std::isfinite(number)) throw config_error("", fmt::format("{} cannot be written as JSON", number));
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string string_text(boost::json::string_view text) {
  const std::string_view bytes(text.data(), text.size());
  if (isa::find_malformed_utf8(bytes) == bytes.size()) return boost::json::serialize(text);
  return boost::json::serialize(boost::json::string_view(isa::to_utf8(bytes)));
}

std::string scalar_text(const value& v) {
  if (v.is_double()) return number_text(v.get_double());
  return v.is_string() ? string_text(v.get_string()) : boost::json::serialize(v);
}

/// Writes an array or object; `begin` goes in front of every item and `end` in front of the closing bracket.
template <class ItemText>
std::string container_text(const value& v, const std::string& begin, const std::string& end, ItemText&& item) {
  const bool is_array = v.is_array();
  std::string text(1, is_array ? '[' : '{');
  std::size_t count = 0;
  const auto start_item = [&] { text += (count++ == 0 ? begin : "," + (begin.empty() ? " " : begin)); };
  if (is_array) {
    for (const auto& element : v.get_array()) {
      start_item();
      text += item(element);
    }
  } else {
    for (const auto& member : v.get_object()) {
      start_item();
      text += string_text(member.key()) + ": " + item(member.value());
    }
  }
  if (count != 0) text += end;
  return text + (is_array ? ']' : '}');
}

bool is_container(const value& v) { return v.is_array() || v.is_object(); }

bool holds_scalars_only(const value& v) {
  if (v.is_array()) return std::none_of(v.get_array().begin(), v.get_array().end(), is_container);
  return std::none_of(v.get_object().begin(), v.get_object().end(), [](const auto& member) { return is_container(member.value()); });
}

constexpr std::size_t longest_line = 100;

bool is_list_of_numbers(const value& v) {
  return v.is_array() && std::all_of(v.get_array().begin(), v.get_array().end(), [](const value& item) { return item.is_number(); });
}

/// As many in a line as fit.
std::string filled_text(const value& numbers, std::size_t indent) {
  const std::string begin = "\n" + std::string(indent + 2, ' ');
  std::string text = "[";
  std::size_t line = longest_line;
  for (const value& number : numbers.get_array()) {
    const std::string item = scalar_text(number);
    if (text.size() > 1) text += ',';
    if (line + item.size() + 2 > longest_line) {
      text += begin;
      line = begin.size() - 1;
    } else {
      text += ' ';
      ++line;
    }
    text += item;
    line += item.size() + 1;
  }
  return text + "\n" + std::string(indent, ' ') + ']';
}

std::string pretty(const value& v, std::size_t indent) {
  if (!is_container(v)) return scalar_text(v);
  if (holds_scalars_only(v)) {
    std::string line = compact_text(v);
    if (indent + line.size() <= longest_line) return line;
    if (is_list_of_numbers(v)) return filled_text(v, indent);
  }
  return container_text(v, "\n" + std::string(indent + 2, ' '), "\n" + std::string(indent, ' '),
                        [&](const value& item) { return pretty(item, indent + 2); });
}

}  // namespace

std::string compact_text(const value& v) {
  return is_container(v) ? container_text(v, "", "", [](const value& item) { return compact_text(item); }) : scalar_text(v);
}

std::string pretty_text(const value& v) { return pretty(v, 0) + "\n"; }

}  // namespace tc::config
