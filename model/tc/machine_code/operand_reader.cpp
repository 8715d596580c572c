// SPDX-License-Identifier: Apache-2.0
#include "operand_reader.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace tc::machine_code {

namespace {

/// The operands between the commas of a line; those in brackets part none.
std::vector<std::string> parted(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// What a slot of an arithmetic instruction holds. Bit 9 to 11 of the opcode say it for both slots, of which one is a register.
enum class slot_content { register_low, register_high, immediate, constant, uniform };

slot_content content_of(char slot, std::uint16_t opcode, bool has_both) {
  const unsigned layout = (opcode >> 9U) & 7U;  // 1: register, register; 2, 3, 7: C is no register; 4, 5, 6: B is none
  const bool b_is_register = layout == 1 || layout == 2 || layout == 3 || layout == 7;
  const bool c_is_register = layout == 1 || layout == 4 || layout == 5 || layout == 6;
  if (slot == 'B' && layout == 1) return slot_content::register_low;
  if (has_both && slot == 'B' && b_is_register) return slot_content::register_high;
  if (slot == 'C' && c_is_register) return slot_content::register_high;
  if (layout == 2 || layout == 4) return slot_content::immediate;
  return layout == 3 || layout == 5 ? slot_content::constant : slot_content::uniform;
}

/// "%Bf-|" in the words of plain operands: "R32 -63 |62", or "f32+32" if the slot holds an immediate.
std::string slot_text(std::string_view word, std::uint16_t opcode, bool has_both, bool is_uniform) {
  const char slot = word[1], number = word[2];
  const std::string_view signs = word.substr(3);
  const slot_content content = content_of(slot, opcode, has_both);
  if (content == slot_content::immediate) {
    if (number == 'h' || number == 'v') return "h48+16,h32+16";
    if (number == 'g' || number == 'w') return "g48+16,g32+16";
    return std::string(1, number) + "32+32";
  }
  const bool selects_halves = number == 'h' || number == 'g';
  const bool is_half = selects_halves || number == 'v' || number == 'w';
  std::string text;
  if (content == slot_content::register_low) text = is_uniform ? "U32" : "R32";
  if (content == slot_content::register_high) text = is_uniform ? "U64" : slot == 'B' ? "R64 *123" : "R64";
  if (content == slot_content::constant) text = is_half ? "ch" : "c";
  if (content == slot_content::uniform) text = "U32";
  const bool is_high = content == slot_content::register_high;
  for (const char sign : signs) {
    if (sign == '-') text += is_half && is_high ? " -84" : is_high ? " -75" : " -63";
    if (sign == '~') text += is_high ? " ~75" : " ~63";
    if (sign == '|') text += is_half && is_high ? " |83" : is_high ? " |74" : " |62";
  }
  if (selects_halves) text += is_high ? " .$half@81+2" : " .$half@60+2";
  return text;
}

std::uint8_t bit_of(std::string_view text) { return static_cast<std::uint8_t>(number_of(text)); }

/// "R24 w90 u32 d76 o40": the parts of an address.
address_form address_of(std::string_view text, const table_names& names) {
  address_form address;
  for (const auto& word : words_of(text)) {
    const std::string_view rest = std::string_view(word).substr(1);
    switch (word[0]) {
      case 'R':
        address.base = field_of(std::string(rest) + "+8");
        break;
      case 'U':
        address.base = field_of(std::string(rest) + "+6");
        address.base_is_uniform = true;
        break;
      case 'u':
        address.uniform = field_of(std::string(rest) + "+6");
        break;
      case 'w':
        address.wide_bit = bit_of(rest);
        break;
      case 'd':
        address.descriptor_bit = bit_of(rest);
        break;
      case 's':
        address.descriptor_shown = bit_of(rest);
        break;
      case 'i':
        address.uniform_bit = bit_of(rest);
        break;
      case 'l':
        address.is_wide = true;
        break;
      case 'z':
        address.hides_zero_uniform = true;
        break;
      case 'n':
        address.hides_wide_zero = true;
        break;
      case 'o':
        address.offset = field_of(rest);
        break;
      case 'b':
        address.bank = field_of(rest);
        break;
      case '.':
        address.scale = choice_of(word, names);
        break;
      default:
        throw std::invalid_argument(fmt::format("\"{}\" is no part of an address", word));
    }
  }
  return address;
}

/// Slots of registers whose values an instruction may keep for the next one, and the bits that say so.
std::uint8_t reuse_bit_of(unsigned first) {
  switch (first) {
    case 24:
      return 122;
    case 32:
      return 123;
    case 64:
      return 124;
    default:
      return no_bit;
  }
}

/// What the first word of an operand says.
void read_kind(operand_form& operand, std::string_view word, const table_names& names) {
  const std::string_view rest = word.substr(1);
  const auto numbered = [&](operand_kind kind, const std::string& bits) {
    operand.kind = kind;
    operand.field = field_of(std::string(rest) + bits);
  };
  static const std::map<char, operand_kind> numbers = {
      {'x', operand_kind::unsigned_number}, {'s', operand_kind::signed_number}, {'d', operand_kind::decimal_number},
      {'f', operand_kind::f32_number},      {'D', operand_kind::f64_number},    {'h', operand_kind::f16_number},
      {'g', operand_kind::bf16_number},     {'m', operand_kind::bit_set},       {'t', operand_kind::relative},
      {'b', operand_kind::relative_bytes},  {'T', operand_kind::absolute},      {'O', operand_kind::offset}};
  switch (word[0]) {
    case 'R':
      numbered(operand_kind::vector_register, "+8");
      operand.reuse_bit = reuse_bit_of(operand.field.ranges[0].first);
      return;
    case 'U':
      return numbered(operand_kind::uniform_register, "+6");
    case 'P':
      return numbered(operand_kind::predicate, "+3");
    case 'V':
      return numbered(operand_kind::uniform_predicate, "+3");
    case 'Q':
      return numbered(operand_kind::inverse_predicate, "+3");
    case 'W':
      return numbered(operand_kind::inverse_uniform_predicate, "+3");
    case 'G':
      return numbered(operand_kind::matrix_descriptor, "+6");
    case 'E':
      return numbered(operand_kind::descriptor, "+6");
    case 'B':
      return numbered(operand_kind::barrier, "+4");
    case 'c':
      operand.kind = rest == "h" ? operand_kind::half_constant : rest == "b" ? operand_kind::byte_constant : operand_kind::constant;
      return;
    case '$':
      operand.kind = operand_kind::chosen;
      operand.suffixes.push_back(choice_of("." + std::string(word), names));
      for (auto& text : operand.suffixes.back().texts) text = text.empty() ? text : text.substr(1);
      return;
    case '\'':
      operand.kind = operand_kind::literal;
      operand.text = rest;
      return;
    default:
      break;
  }
  const auto found = numbers.find(word[0]);
  if (found == numbers.end()) throw std::invalid_argument(fmt::format("\"{}\" is no operand", word));
  numbered(found->second, "");
}

/// What a further word of an operand says.
void read_detail(operand_form& operand, const std::string& word, const table_names& names) {
  const std::string_view rest = std::string_view(word).substr(1);
  switch (word[0]) {
    case '-':
      operand.negate_bit = bit_of(rest);
      return;
    case '|':
      operand.absolute_bit = bit_of(rest);
      return;
    case '~':
      operand.complement_bit = bit_of(rest);
      return;
    case '!':
      operand.not_bit = bit_of(rest);
      return;
    case '*':
      operand.reuse_bit = rest == "none" ? no_bit : bit_of(rest);
      return;
    case '=':
      operand.shown_bit = bit_of(rest);
      return;
    case '.':
      operand.suffixes.push_back(choice_of(word, names));
      return;
    default:
      throw std::invalid_argument(fmt::format("\"{}\" says nothing of an operand", word));
  }
}

operand_form operand_of(std::string_view text, const table_names& names) {
  operand_form operand;
  std::string_view rest = text.substr(std::min(text.find_first_not_of(' '), text.size()));
  for (; !rest.empty() && (rest[0] == '?' || rest[0] == '^'); rest.remove_prefix(1))
    (rest[0] == '?' ? operand.optional : operand.joined) = true;
  if (rest.empty()) throw std::invalid_argument("an operand is missing");
  if (rest[0] == '[' || rest.substr(0, 2) == "k[") {
    operand.kind = rest[0] == 'k' ? operand_kind::indexed_constant : operand_kind::address;
    const auto open = rest.find('['), end = rest.find(']');
    if (end == std::string_view::npos) throw std::invalid_argument("\"]\" is missing");
    operand.address = address_of(rest.substr(open + 1, end - open - 1), names);
    for (const auto& word : words_of(rest.substr(end + 1)))
      if (!word.empty()) read_detail(operand, word, names);
    return operand;
  }
  const auto words = words_of(rest);
  read_kind(operand, words[0], names);
  for (std::size_t i = 1; i < words.size(); ++i) read_detail(operand, words[i], names);
  return operand;
}

}  // namespace

std::vector<operand_form> operands_of(std::string_view text, std::uint16_t opcode, bool is_uniform, const table_names& names) {
  if (text.find_first_not_of(' ') == std::string_view::npos) return {};
  const bool has_both = text.find("%C") != std::string_view::npos && text.find("%B") != std::string_view::npos;
  std::string plain;
  for (const auto& part : parted(text)) {
    const auto slot = part.find('%');
    if (!plain.empty()) plain += ',';
    if (slot == std::string::npos) {
      plain += part;
      continue;
    }
    const auto end = std::min(part.find(' ', slot), part.size());
    plain +=
        part.substr(0, slot) + slot_text(std::string_view(part).substr(slot, end - slot), opcode, has_both, is_uniform) + part.substr(end);
  }
  std::vector<operand_form> operands;
  for (const auto& part : parted(plain)) operands.push_back(operand_of(part, names));
  return operands;
}

}  // namespace tc::machine_code
