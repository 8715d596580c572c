// SPDX-License-Identifier: Apache-2.0
#include "table_scanner.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

namespace tc::machine_code {

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : line) {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  if (!word.empty() || words.empty()) words.push_back(word);
  return words;
}

std::string with_macros(std::string_view line, const table_names& names) {
  std::string text;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] != '&') {
      text += line[at++];
      continue;
    }
    const std::size_t end = std::min(line.find_first_of(" ,]", at), line.size());
    const std::string name(line.substr(at + 1, end - at - 1));
    const auto found = names.macros.find(name);
    if (found == names.macros.end()) throw std::invalid_argument(fmt::format("there is no macro {}", name));
    text += with_macros(found->second, names);
    at = end;
  }
  return text;
}

std::uint64_t number_of(std::string_view text) {
  const bool is_hexadecimal = text.substr(0, 2) == "0x";
  const std::string_view digits = is_hexadecimal ? text.substr(2) : text;
  std::uint64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hexadecimal ? 16 : 10);
  if (result.ec != std::errc{} || result.ptr != digits.data() + digits.size())
    throw std::invalid_argument(fmt::format("\"{}\" is no number", text));
  return value;
}

bit_field field_of(std::string_view text) {
  bit_field field;
  for (std::string_view rest = text;;) {
    const auto slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    const auto plus = part.find('+');
    if (field.range_count == bit_field::max_ranges) throw std::invalid_argument(fmt::format("\"{}\" has too many parts", text));
    auto& range = field.ranges[field.range_count++];
    range.first = static_cast<std::uint8_t>(number_of(part.substr(0, plus)));
    range.count = plus == std::string_view::npos ? std::uint8_t{1} : static_cast<std::uint8_t>(number_of(part.substr(plus + 1)));
    if (range.first + range.count > 128) throw std::invalid_argument(fmt::format("\"{}\" goes beyond bit 127", text));
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  if (field.width() > 64) throw std::invalid_argument(fmt::format("\"{}\" has more than 64 bits", text));
  return field;
}

std::vector<std::string> texts_of(const std::vector<std::string>& words) {
  std::vector<std::string> texts;
  for (const auto& word : words) {
    std::string text = word;
    const auto sign = word.find('=');
    if (sign != std::string::npos) {
      const std::size_t value = number_of(std::string_view(word).substr(0, sign));
      if (value < texts.size() || value > 255) throw std::invalid_argument(fmt::format("\"{}\" is out of order", word));
      for (std::size_t i = texts.size(); i < value; ++i) texts.push_back(fmt::format(".INVALID{}", i));
      text = word.substr(sign + 1);
    }
    texts.push_back(text == "-" || text.empty() ? std::string() : "." + text);
  }
  return texts;
}

namespace {

/// "(a|b|c)" without the parentheses.
std::vector<std::string> alternatives(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text)
    if (c == '|')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

/// How many bits tell so many values apart.
std::uint8_t bits_for(std::size_t count) {
  std::uint8_t bits = 0;
  while ((std::size_t{1} << bits) < count) ++bits;
  return bits;
}

}  // namespace

choice choice_of(std::string_view word, const table_names& names) {
  if (word.substr(0, 2) == ".!") {
    choice constant;
    constant.texts = {"." + std::string(word.substr(2))};
    return constant;
  }
  const auto at = word.rfind('@');
  if (at == std::string_view::npos) throw std::invalid_argument(fmt::format("\"{}\" names no bits", word));
  choice made{field_of(word.substr(at + 1)), {}};
  const std::string_view what = word.substr(1, at - 1);
  if (what[0] == '$') {
    const auto found = names.tables.find(std::string(what.substr(1)));
    if (found == names.tables.end()) throw std::invalid_argument(fmt::format("there is no table {}", what.substr(1)));
    made.texts = found->second;
  } else if (what[0] == '(') {
    made.texts = texts_of(alternatives(what.substr(1, what.size() - 2)));
    if (made.field.width() == 1) made.field.ranges[0].count = bits_for(made.texts.size());
  } else if (what[0] == '~') {
    made.texts = {"." + std::string(what.substr(1)), ""};
  } else {
    made.texts = {"", "." + std::string(what)};
  }
  const unsigned width = made.field.width();
  if (width > 8) throw std::invalid_argument(fmt::format("\"{}\" has more than 8 bits", word));
  for (std::size_t i = made.texts.size(); i < std::size_t{1} << width; ++i) made.texts.push_back(fmt::format(".INVALID{}", i));
  return made;
}

}  // namespace tc::machine_code
