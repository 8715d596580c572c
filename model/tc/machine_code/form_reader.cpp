// SPDX-License-Identifier: Apache-2.0
#include "form_reader.hpp"

#include <charconv>
#include <map>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tc/machine_code/operand_reader.hpp>
#include <tc/machine_code/table_scanner.hpp>

namespace tc::machine_code {

namespace {

constexpr unsigned all_families = (1U << family_count) - 1;

/// The words that the column of architectures may have.
std::uint8_t families_of(std::string_view word) {
  static const std::map<std::string_view, unsigned> spans = {
      {"all", all_families}, {"75", 0b00001},    {"8x", 0b01110},    {"90", 0b10000}, {"80+", 0b11110}, {"86+", 0b11100},
      {"75-8x", 0b01111},    {"80-86", 0b00110}, {"75-80", 0b00011}, {"80", 0b00010}, {"89", 0b01000},  {"89+", 0b11000}};
  const auto found = spans.find(word);
  if (found == spans.end()) throw std::invalid_argument(fmt::format("unknown architectures \"{}\"", word));
  return static_cast<std::uint8_t>(found->second);
}

unsigned digit_of(char digit) {
  unsigned value = 0;
  const auto result = std::from_chars(&digit, &digit + 1, value, 16);
  if (result.ec != std::errc{}) throw std::invalid_argument(fmt::format("\"{}\" is no hexadecimal digit", digit));
  return value;
}

/// The opcodes of "223" or of "[2468ace]23".
std::vector<std::uint16_t> opcodes_of(std::string_view word) {
  std::string_view first = word.substr(0, 1), rest = word.substr(1);
  if (first == "[") {
    const auto end = word.find(']');
    if (end == std::string_view::npos) throw std::invalid_argument("\"]\" is missing");
    first = word.substr(1, end - 1);
    rest = word.substr(end + 1);
  }
  if (rest.size() != 2) throw std::invalid_argument(fmt::format("\"{}\" is no opcode of three digits", word));
  std::vector<std::uint16_t> opcodes;
  for (const char digit : first)
    opcodes.push_back(static_cast<std::uint16_t>((digit_of(digit) << 8U) | (digit_of(rest[0]) << 4U) | digit_of(rest[1])));
  return opcodes;
}

/// Adds the condition "85+2=1" to a form.
void add_condition(form& row, std::string_view word) {
  if (word == "uniform") {
    row.has_uniform_guard = true;
    return;
  }
  const auto sign = word.find('=');
  if (sign == std::string_view::npos) throw std::invalid_argument(fmt::format("the condition {} has no \"=\"", word));
  const bit_field field = field_of(word.substr(0, sign));
  if (word.substr(sign + 1) == "power") {
    row.power = field;
    return;
  }
  std::uint64_t value = number_of(word.substr(sign + 1));
  for (std::size_t i = 0; i < field.range_count; ++i)
    for (unsigned bit = 0; bit < field.ranges[i].count; ++bit, value >>= 1U) {
      const unsigned at = field.ranges[i].first + bit;
      std::uint64_t& mask = at < 64 ? row.mask.low : row.mask.high;
      std::uint64_t& wanted = at < 64 ? row.value.low : row.value.high;
      mask |= std::uint64_t{1} << (at % 64);
      wanted |= (value & 1U) << (at % 64);
    }
}

/// Reads the lines of all tables. Names that one table defines, the others know.
class form_reader {
 public:
  std::vector<form> read(const std::vector<table_text>& tables) {
    for (const auto& table : tables) each_line(table, [this](const std::string& line) { define(line); });
    for (const auto& table : tables) each_line(table, [this](const std::string& line) { add(line); });
    return std::move(forms_);
  }

 private:
  template <class Use>
  void each_line(const table_text& table, Use use) {
    line_ = 0;
    for (std::string_view rest = table.text; !rest.empty();) {
      const auto end = rest.find('\n');
      std::string line(rest.substr(0, end));
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      ++line_;
      if (line.empty() || line[0] == '#') continue;
      try {
        use(line);
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(fmt::format("{}:{}: {}: {}", table.name, line_, line, error.what()));
      }
    }
  }

  void define(const std::string& line) {
    const auto words = words_of(line);
    if (words[0] == "table") {
      names_.tables[words.at(1)] = texts_of({words.begin() + 2, words.end()});
    } else if (words[0] == "macro") {
      std::string body;
      for (std::size_t i = 2; i < words.size(); ++i) body += (i == 2 ? "" : " ") + words[i];
      names_.macros[words.at(1)] = body;
    }
  }

  void add(const std::string& written) {
    const auto first = words_of(written)[0];
    if (first == "table" || first == "macro") return;
    const std::string line = with_macros(written, names_);
    const auto colon = line.find(" :");
    const auto words = words_of(line.substr(0, colon));
    if (words.size() < 3) throw std::invalid_argument("opcode, architectures and mnemonic are needed");
    form row;
    row.line = line_;
    row.families = families_of(words[1]);
    for (std::size_t i = 2; i < words.size(); ++i) add_word(row, words[i]);
    const std::string operands = colon == std::string::npos ? "" : line.substr(colon + 2);
    row.has_uniform_guard |= row.mnemonic[0] == 'U' || row.mnemonic == "S2UR";
    for (const auto opcode : opcodes_of(words[0])) {
      form one = row;
      one.opcode = opcode;
      one.operands = operands_of(operands, opcode, row.has_uniform_guard, names_);
      forms_.push_back(std::move(one));
    }
  }

  void add_word(form& row, const std::string& word) {
    if (word[0] == '?')
      add_condition(row, std::string_view(word).substr(1));
    else if (word[0] == '.')
      row.modifiers.push_back(choice_of(word, names_));
    else if (row.mnemonic.empty())
      row.mnemonic = word;
    else
      throw std::invalid_argument(fmt::format("\"{}\" is neither a modifier nor a condition", word));
  }

  table_names names_;
  std::vector<form> forms_;
  std::uint32_t line_ = 0;
};

}  // namespace

std::vector<form> read_forms(const std::vector<table_text>& tables) { return form_reader().read(tables); }

}  // namespace tc::machine_code
