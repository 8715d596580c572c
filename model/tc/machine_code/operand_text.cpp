// SPDX-License-Identifier: Apache-2.0
#include "operand_text.hpp"

#include <array>
#include <charconv>

#include <tc/machine_code/number_text.hpp>

namespace tc::machine_code {

namespace {

constexpr std::uint64_t zero_vector = 255, zero_uniform = 63, true_value = 7;
constexpr std::int64_t code_unit_bytes = 4;  // in which words count code

void add_decimal(std::string& text, std::uint64_t value) {
  std::array<char, 20> digits{};
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

/// "R12", or the name of the register that is none: "RZ".
void add_numbered(std::string& text, std::string_view prefix, std::uint64_t value, std::uint64_t last, char last_name) {
  text += prefix;
  if (value == last)
    text += last_name;
  else
    add_decimal(text, value);
}

// c[bank][offset], or cx[UR][offset], whose bank the uniform register names.
constexpr unsigned indirect_bit = 91;
constexpr bit_field constant_bank{{{{54, 5}}}, 1}, constant_offset{{{{38, 16}}}, 1}, constant_handle{{{{32, 6}}}, 1};

void add_constant(std::string& text, const isa::instruction_word& word, std::string_view gap, bool is_byte) {
  const bool is_indirect = has_bit(word, indirect_bit);
  if (is_indirect) {
    text += "cx[";
    add_numbered(text, "UR", constant_handle.of(word), zero_uniform, 'Z');
  } else {
    text += "c[";
    add_hexadecimal(text, constant_bank.of(word));
  }
  text += ']';
  text += gap;
  text += '[';
  const std::int64_t offset = is_indirect ? static_cast<std::int64_t>(constant_offset.of(word)) : constant_offset.signed_of(word);
  add_signed(text, is_byte ? offset : offset & ~std::int64_t{3});
  text += ']';
}

/// The register at the start of an address, with its width and scale. False if it is not written.
bool add_base(std::string& text, const address_form& address, const isa::instruction_word& word, bool has_uniform, bool has_offset) {
  if (address.base.range_count == 0) return false;
  const std::uint64_t base = address.base.of(word);
  if (address.base_is_uniform) {
    add_numbered(text, "UR", base, zero_uniform, 'Z');
    return true;
  }
  const std::uint64_t scale = address.scale.field.range_count != 0 ? address.scale.field.of(word) : 0;
  const bool is_wide = address.is_wide || has_bit(word, address.wide_bit) || has_bit(word, address.descriptor_bit);
  const bool says_width = address.wide_bit != no_bit && has_uniform;
  if (base == zero_vector && (!says_width || address.hides_wide_zero) && (has_uniform || has_offset) && (scale == 0 || !has_uniform))
    return false;
  add_numbered(text, "R", base, zero_vector, 'Z');
  if (address.wide_bit != no_bit || address.is_wide) text += is_wide ? ".64" : ".U32";
  if (scale != 0) add_choice(text, address.scale, word);
  return true;
}

void add_address(std::string& text, const address_form& address, const isa::instruction_word& word) {
  const bool is_descriptor = has_bit(word, address.descriptor_bit);
  const std::uint64_t uniform = address.uniform.range_count != 0 ? address.uniform.of(word) : zero_uniform;
  const bool names_uniform = address.uniform.range_count != 0 && (address.uniform_bit == no_bit || has_bit(word, address.uniform_bit));
  const bool has_uniform = names_uniform && !is_descriptor && !(address.hides_zero_uniform && uniform == zero_uniform);
  const std::int64_t offset = address.offset.range_count != 0 ? address.offset.signed_of(word) : 0;
  if (is_descriptor && (address.descriptor_shown == no_bit || has_bit(word, address.descriptor_shown))) {
    text += "desc[";
    add_numbered(text, "UR", uniform, zero_uniform, 'Z');
    text += ']';
  }
  text += '[';
  bool has_part = add_base(text, address, word, has_uniform, offset != 0 && !is_descriptor);
  if (has_uniform) {
    if (has_part) text += '+';
    add_numbered(text, "UR", uniform, zero_uniform, 'Z');
    has_part = true;
  }
  if (offset != 0 || !has_part) {
    if (has_part) text += '+';
    add_signed(text, offset);
  }
  text += ']';
}

void add_indexed_constant(std::string& text, const address_form& address, const isa::instruction_word& word) {
  text += "c[";
  add_hexadecimal(text, address.bank.of(word));
  text += ']';
  add_address(text, address, word);
}

/// {5,0}: the highest first.
void add_bit_set(std::string& text, std::uint64_t bits) {
  text += '{';
  bool is_first = true;
  for (unsigned bit = 64; bit-- > 0;) {
    if (((bits >> bit) & 1U) == 0) continue;
    if (!is_first) text += ',';
    is_first = false;
    add_decimal(text, bit);
  }
  text += '}';
}

/// An immediate, or what a relocation puts in its place.
void add_immediate(std::string& text, const operand_form& operand, const placed_word& placed) {
  if (placed.names != nullptr && operand.field.width() >= 32) {
    const std::string name = placed.names->immediate(placed.pc);
    if (!name.empty()) {
      text += name;
      return;
    }
  }
  if (operand.kind == operand_kind::signed_number)
    add_signed(text, operand.field.signed_of(placed.word));
  else
    add_hexadecimal(text, operand.field.of(placed.word));
}

/// A place in the code that is named relative to the instruction has the name of its label. One that is absolute is known to a relocation
/// alone.
void add_code_address(std::string& text, std::uint64_t address, bool is_relative, const placed_word& placed) {
  std::string name;
  if (placed.names != nullptr) name = placed.names->immediate(placed.pc);
  if (placed.names != nullptr && name.empty() && is_relative) name = placed.names->target(address);
  if (name.empty())
    add_signed(text, static_cast<std::int64_t>(address));
  else
    text += name;
}

/// The part of an operand that signs enclose.
// NOLINTNEXTLINE(readability-function-size): a case for each kind
void add_content(std::string& text, const operand_form& operand, const placed_word& placed) {
  const isa::instruction_word& word = placed.word;
  const std::uint64_t value = operand.field.of(word);
  switch (operand.kind) {
    case operand_kind::literal:
      text += operand.text;
      break;
    case operand_kind::vector_register:
      add_numbered(text, "R", value, zero_vector, 'Z');
      break;
    case operand_kind::uniform_register:
      add_numbered(text, "UR", value, zero_uniform, 'Z');
      break;
    case operand_kind::predicate:
      add_numbered(text, "P", value, true_value, 'T');
      break;
    case operand_kind::inverse_predicate:
      add_numbered(text, "P", true_value - value, true_value, 'T');
      break;
    case operand_kind::inverse_uniform_predicate:
      add_numbered(text, "UP", true_value - value, true_value, 'T');
      break;
    case operand_kind::descriptor:
    case operand_kind::matrix_descriptor:
      text += operand.kind == operand_kind::descriptor ? "desc[" : "gdesc[";
      add_numbered(text, "UR", value, zero_uniform, 'Z');
      text += ']';
      break;
    case operand_kind::uniform_predicate:
      add_numbered(text, "UP", value, true_value, 'T');
      break;
    case operand_kind::barrier:
      text += 'B';
      add_decimal(text, value);
      break;
    case operand_kind::chosen:
      break;  // its only suffix
    case operand_kind::unsigned_number:
    case operand_kind::signed_number:
      add_immediate(text, operand, placed);
      break;
    case operand_kind::decimal_number:
      add_decimal(text, value);
      break;
    case operand_kind::f32_number:
      add_f32(text, static_cast<std::uint32_t>(value));
      break;
    case operand_kind::f64_number:
      add_f64(text, static_cast<std::uint32_t>(value));
      break;
    case operand_kind::f16_number:
      add_f16(text, static_cast<std::uint16_t>(value));
      break;
    case operand_kind::bf16_number:
      add_bf16(text, static_cast<std::uint16_t>(value));
      break;
    case operand_kind::bit_set:
      add_bit_set(text, value);
      break;
    case operand_kind::constant:
      add_constant(text, word, "", false);
      break;
    case operand_kind::byte_constant:
      add_constant(text, word, "", true);
      break;
    case operand_kind::half_constant:
      add_constant(text, word, " ", false);
      break;
    case operand_kind::address:
      add_address(text, operand.address, word);
      break;
    case operand_kind::indexed_constant:
      add_indexed_constant(text, operand.address, word);
      break;
    case operand_kind::relative_bytes:
    case operand_kind::relative:
      add_code_address(text, relative_target(operand, word, placed.pc), true, placed);
      break;
    case operand_kind::absolute:
      add_code_address(text, static_cast<std::uint64_t>(operand.field.signed_of(word) * code_unit_bytes), false, placed);
      break;
    case operand_kind::offset:
      add_signed(text, operand.field.signed_of(word) * code_unit_bytes);
      break;
  }
}

}  // namespace

void add_choice(std::string& text, const choice& choice, const isa::instruction_word& word) { text += choice.texts[choice.field.of(word)]; }

std::uint64_t relative_target(const operand_form& operand, const isa::instruction_word& word, std::uint64_t pc) {
  const std::int64_t unit = operand.kind == operand_kind::relative ? code_unit_bytes : 1;
  return pc + instruction_bytes + static_cast<std::uint64_t>(operand.field.signed_of(word) * unit);
}

bool is_written(const operand_form& operand, const isa::instruction_word& word) {
  if (operand.shown_bit != no_bit && !has_bit(word, operand.shown_bit)) return false;
  if (!operand.optional) return true;
  const std::uint64_t value = operand.field.of(word);
  switch (operand.kind) {
    case operand_kind::vector_register:
      return value != zero_vector;
    case operand_kind::uniform_register:
      return value != zero_uniform;
    case operand_kind::predicate:
    case operand_kind::uniform_predicate:
      return value != true_value || has_bit(word, operand.not_bit);
    case operand_kind::inverse_predicate:
    case operand_kind::inverse_uniform_predicate:
      return value != 0 || has_bit(word, operand.not_bit);
    case operand_kind::chosen:
      return !operand.suffixes[0].texts[operand.suffixes[0].field.of(word)].empty();
    default:
      return value != 0;
  }
}

void add_operand(std::string& text, const operand_form& operand, const placed_word& placed) {
  const isa::instruction_word& word = placed.word;
  if (has_bit(word, operand.not_bit)) text += '!';
  if (has_bit(word, operand.negate_bit)) text += '-';
  if (has_bit(word, operand.complement_bit)) text += '~';
  const bool is_absolute = has_bit(word, operand.absolute_bit);
  const bool encloses_suffixes = operand.kind == operand_kind::half_constant;
  if (is_absolute) text += '|';
  add_content(text, operand, placed);
  if (encloses_suffixes)
    for (const auto& suffix : operand.suffixes) add_choice(text, suffix, word);
  if (is_absolute) text += '|';
  if (has_bit(word, operand.reuse_bit)) text += ".reuse";
  if (!encloses_suffixes)
    for (const auto& suffix : operand.suffixes) add_choice(text, suffix, word);
}

}  // namespace tc::machine_code
