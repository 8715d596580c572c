// SPDX-License-Identifier: Apache-2.0
#include "instruction_word.hpp"

#include <charconv>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

namespace tc::isa {

namespace {

constexpr unsigned half_bits = 64, half_digits = 16;

/// A field of the word: its first bit and how many there are.
struct field {
  unsigned first, count;
};

constexpr field opcode_field{0, 12}, predicate_field{12, 3}, inverted_field{15, 1}, d_field{16, 8}, a_field{24, 8}, b_field{32, 8},
    c_field{64, 8}, stall_field{105, 4}, no_yield_field{109, 1}, write_field{110, 3}, read_field{113, 3}, wait_field{116, 6},
    reuse_field{122, 4};

// Of HMMA.884.
constexpr field a_column_field{73, 1}, b_column_field{74, 1}, d_f32_field{76, 1}, c_f32_field{78, 1}, step_field{79, 2};
constexpr std::uint16_t hmma_884_opcode = 0x236;

template <class Value = std::uint8_t>
Value get(const instruction_word& word, field f) {
  return static_cast<Value>(word.bits(f.first, f.count));
}

void set(instruction_word& word, field f, std::uint32_t value) { word.set_bits(f.first, f.count, value); }

constexpr std::uint64_t mask_of(unsigned count) { return (std::uint64_t{1} << count) - 1; }

std::uint64_t parse_half(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.size() != half_digits || error != std::errc() || end != digits.data() + digits.size())
    throw std::invalid_argument(fmt::format("expected {} hexadecimal digits, found '{}'", half_digits, digits));
  return value;
}

}  // namespace

std::uint32_t instruction_word::bits(unsigned first, unsigned count) const {
  const std::uint64_t half = first < half_bits ? low : high;
  return static_cast<std::uint32_t>(half >> first % half_bits & mask_of(count));
}

void instruction_word::set_bits(unsigned first, unsigned count, std::uint32_t value) {
  std::uint64_t& half = first < half_bits ? low : high;
  half &= ~(mask_of(count) << first % half_bits);
  half |= (value & mask_of(count)) << first % half_bits;
}

instruction_word parse_word(std::string_view text) {
  const auto blank = text.find(' ');
  if (blank == std::string_view::npos) throw std::invalid_argument(fmt::format("expected two halves, found '{}'", text));
  return {parse_half(text.substr(0, blank)), parse_half(text.substr(blank + 1))};
}

std::string text_of(const instruction_word& word) { return fmt::format("{:016x} {:016x}", word.low, word.high); }

word_fields fields_of(const instruction_word& word) {
  word_fields fields;
  fields.opcode = get<std::uint16_t>(word, opcode_field);
  fields.predicate = get(word, predicate_field);
  fields.predicate_inverted = get(word, inverted_field) != 0;
  fields.d = get(word, d_field);
  fields.a = get(word, a_field);
  fields.b = get(word, b_field);
  fields.c = get(word, c_field);
  fields.reuse = get(word, reuse_field);
  fields.control.stall_cycles = get(word, stall_field);
  fields.control.yield = get(word, no_yield_field) == 0;
  fields.control.write_barrier = get(word, write_field);
  fields.control.read_barrier = get(word, read_field);
  fields.control.wait_mask = get(word, wait_field);
  return fields;
}

instruction_word word_of(const word_fields& fields) {
  instruction_word word;
  set(word, opcode_field, fields.opcode);
  set(word, predicate_field, fields.predicate);
  set(word, inverted_field, fields.predicate_inverted ? 1 : 0);
  set(word, d_field, fields.d);
  set(word, a_field, fields.a);
  set(word, b_field, fields.b);
  set(word, c_field, fields.c);
  set(word, reuse_field, fields.reuse);
  set(word, stall_field, fields.control.stall_cycles);
  set(word, no_yield_field, fields.control.yield ? 0 : 1);
  set(word, write_field, fields.control.write_barrier);
  set(word, read_field, fields.control.read_barrier);
  set(word, wait_field, fields.control.wait_mask);
  return word;
}

instruction_word encode_hmma_884(const instruction& code) {
  const mma_operation* const mma = mma_of(code);
  if (mma == nullptr || code.op != opcode::hmma || mma->instances == 1)
    throw std::invalid_argument(fmt::format("'{}' is no HMMA.884", code.text));
  word_fields fields;
  fields.opcode = hmma_884_opcode;
  fields.predicate = code.guard.index;
  fields.predicate_inverted = code.guard.inverted;
  fields.d = code.destinations[0].index;
  fields.a = code.sources[0].index;
  fields.b = code.sources[1].index;
  fields.c = code.sources[2].index;
  for (unsigned slot = 0; slot < 3; ++slot)
    if (code.sources[slot].reuse) fields.reuse = static_cast<std::uint8_t>(fields.reuse | 1u << slot);
  fields.control = code.control.value_or(control_code{});
  instruction_word word = word_of(fields);
  set(word, a_column_field, mma->a_column ? 1 : 0);
  set(word, b_column_field, mma->b_column ? 1 : 0);
  set(word, d_f32_field, mma->d == element_type::f32 ? 1 : 0);
  set(word, c_f32_field, mma->c == element_type::f32 ? 1 : 0);
  set(word, step_field, mma->step);
  return word;
}

}  // namespace tc::isa
