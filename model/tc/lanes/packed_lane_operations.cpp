// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/lane_rows.hpp>

namespace tc::lanes {

// Integer arithmetic on parts of words: dot products and absolute differences (PTX ISA, dp4a, dp2a, vabsdiff).

namespace {

/// Part `index` of a word that consists of parts of `bits` bits.
std::int64_t part_of(std::uint32_t word, unsigned index, unsigned bits, bool is_signed) {
  const std::uint32_t part = word >> (index * bits) & ((1U << bits) - 1);
  const std::uint32_t sign = 1U << (bits - 1);
  return is_signed ? static_cast<std::int32_t>((part ^ sign) - sign) : std::int64_t{part};
}

/// IDP.4A: four bytes by four bytes. IDP.2A: two halves by the lower or the upper two bytes.
void dot_product(const lane_operands& in, lane_result& out) {
  const isa::modifiers& mods = in.mods();
  const unsigned length = mods.dot_length, bits = length == 4 ? 8 : 16, first = length == 2 && mods.high ? 2 : 0;
  const bool a_is_signed = isa::is_signed(mods.earlier_type), b_is_signed = isa::is_signed(mods.type);
  const warp::lane_vector a = in.word(0), b = in.word(1), c = in.word(2);
  set_lanes(out.registers[0], [&](unsigned lane) {
    std::int64_t sum = 0;
    for (unsigned i = 0; i < length; ++i) sum += part_of(a[lane], i, bits, a_is_signed) * part_of(b[lane], first + i, 8, b_is_signed);
    return c[lane] + static_cast<std::uint32_t>(sum);
  });
}

bool dot_product_form(const isa::instruction& code) { return code.mods.dot_length != 0; }

/// VABSDIFF: |a - b| + c.
void absolute_difference(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.word(0), b = in.word(1), c = in.word(2);
  const std::uint32_t bias = isa::is_signed(in.mods().type) ? 0x80000000U : 0;
  set_lanes(out.registers[0], [&](unsigned lane) {
    const bool a_is_less = (a[lane] ^ bias) < (b[lane] ^ bias);
    return (a_is_less ? b[lane] - a[lane] : a[lane] - b[lane]) + c[lane];
  });
}

/// VABSDIFF4: of four bytes each, signed ones unless .U8 says otherwise. With .ACC the differences are added to the third operand, without
/// it they are the bytes of the result, and ptxas gives the third operand nothing to do (PTX ISA, vabsdiff4).
void absolute_difference_of_bytes(const lane_operands& in, lane_result& out) {
  const bool is_signed = isa::is_signed(in.mods().type);
  const warp::lane_vector a = in.word(0), b = in.word(1), c = in.word(2);
  set_lanes(out.registers[0], [&](unsigned lane) {
    std::uint32_t sum = c[lane], bytes = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const std::int64_t difference = part_of(a[lane], i, 8, is_signed) - part_of(b[lane], i, 8, is_signed);
      const auto magnitude = static_cast<std::uint32_t>(difference < 0 ? -difference : difference);
      sum += magnitude;
      bytes |= magnitude << 8 * i;
    }
    return in.mods().accumulate ? sum : bytes;
  });
}

bool byte_difference_form(const isa::instruction& code) {
  return code.mods.type == isa::integer_type::u8 || code.mods.type == isa::integer_type::s8 || code.mods.type == isa::integer_type::s32;
}

std::uint32_t smaller_or_larger(std::uint32_t a, std::uint32_t b, std::uint32_t bias, bool smaller) {
  return ((a ^ bias) < (b ^ bias)) == smaller ? a : b;
}

std::uint32_t order_bias(const isa::modifiers& mods) { return isa::is_signed(mods.type) ? 0x80000000U : 0; }

/// VIMNMX3: of three; VIADDMNMX: of a + b and c. The smaller one where the predicate is true.
void extremum_of_three(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.word(0), b = in.word(1), c = in.word(2);
  const std::uint32_t take_smaller = in.predicate(3), bias = order_bias(in.mods());
  set_lanes(out.registers[0], [&](unsigned lane) {
    const bool smaller = predicate_bit(take_smaller, lane) != 0;
    return smaller_or_larger(smaller_or_larger(a[lane], b[lane], bias, smaller), c[lane], bias, smaller);
  });
}

void extremum_of_sum(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.word(0), b = in.word(1), c = in.word(2);
  const std::uint32_t take_smaller = in.predicate(3), bias = order_bias(in.mods());
  set_lanes(out.registers[0],
            [&](unsigned lane) { return smaller_or_larger(a[lane] + b[lane], c[lane], bias, predicate_bit(take_smaller, lane) != 0); });
}

/// An integer clamped to the numbers of a type of at most 32 bits.
std::uint32_t clamped(std::int64_t value, isa::integer_type type) {
  const unsigned bits = isa::bits_of(type);
  const bool is_signed = isa::is_signed(type);
  const std::int64_t least = is_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
  const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  return static_cast<std::uint32_t>(std::clamp(value, least, most));
}

std::int64_t integer_of(std::uint32_t word, isa::integer_type type) {
  return isa::is_signed(type) ? static_cast<std::int32_t>(word) : std::int64_t{word};
}

/// I2IP: A above B, each clamped to the bits of a type; what is in C moves up by both (PTX ISA, cvt.pack).
void pack_integers(const lane_operands& in, lane_result& out) {
  const isa::integer_type to = in.mods().earlier_type, from = in.mods().type;
  const unsigned bits = isa::bits_of(to);
  const std::uint32_t mask = (1U << bits) - 1;
  const bool has_rest = in.code().source_count > 2 && bits < 16;
  const warp::lane_vector a = in.word(0), b = in.word(1), c = has_rest ? in.word(2) : warp::lane_vector{};
  set_lanes(out.registers[0], [&](unsigned lane) {
    const std::uint32_t upper = clamped(integer_of(a[lane], from), to) & mask, lower = clamped(integer_of(b[lane], from), to) & mask;
    return (has_rest ? c[lane] << 2 * bits : 0) | upper << bits | lower;
  });
}

bool pack_integers_form(const isa::instruction& code) {
  return code.mods.saturate && isa::bits_of(code.mods.earlier_type) <= 16 && isa::bits_of(code.mods.type) == 32;
}

/// I2I: an integer clamped to fewer bits.
void narrow_integer(const lane_operands& in, lane_result& out) {
  const isa::modifiers& mods = in.mods();
  const warp::lane_vector a = in.word(0);
  set_lanes(out.registers[0], [&](unsigned lane) { return clamped(integer_of(a[lane], mods.type), mods.earlier_type); });
}

/// I2I from a word, with .SAT.
bool narrow_form(const isa::instruction& code) {
  return word_form(code) && code.mods.saturate && isa::bits_of(code.mods.earlier_type) < 32;
}

}  // namespace

std::vector<lane_row> packed_lane_operations() {
  using isa::opcode;
  return {
      {opcode::idp, dot_product, dot_product_form},
      {opcode::vabsdiff, absolute_difference, word_form},
      {opcode::vimnmx3, extremum_of_three, word_form},
      {opcode::viaddmnmx, extremum_of_sum, word_form},
      {opcode::i2i, narrow_integer, narrow_form},
      {opcode::i2ip, pack_integers, pack_integers_form},
      {opcode::vabsdiff4, absolute_difference_of_bytes, byte_difference_form},
  };
}

}  // namespace tc::lanes
