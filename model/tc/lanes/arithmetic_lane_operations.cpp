// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/lane_rows.hpp>
#include <tc/lanes/predicate_combination.hpp>

namespace tc::lanes {

// What integer arithmetic, comparison and selection compute in every lane. Carries are those of an adder of 32 bits (64 for a wide sum):
// of several terms the first carry predicate is "at least one", the second "two".

namespace {

using wide_lanes = std::array<std::uint64_t, warp::lanes_per_warp>;

/// Adds a term to the sums of all lanes.
void accumulate(wide_lanes& sums, const addend& term) {
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) sums[lane] += std::uint64_t{term.bits[lane]} + term.one;
}

/// Adds one in the lanes of a predicate.
void accumulate(wide_lanes& sums, std::uint32_t carry_in) {
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) sums[lane] += predicate_bit(carry_in, lane);
}

/// The low words of the sums, and the carries out of them.
void deliver(const wide_lanes& sums, const isa::instruction& code, lane_result& out) {
  set_lanes(out.registers[0], [&](unsigned lane) { return static_cast<std::uint32_t>(sums[lane]); });
  if (code.destination_count < 2) return;
  warp::lane_vector carries;
  set_lanes(carries, [&](unsigned lane) { return static_cast<std::uint32_t>(sums[lane] >> 32U); });
  const bool has_second = code.destination_count > 2;
  set_predicates(code, out, collect_predicate([&](unsigned lane) { return carries[lane] >= 1; }),
                 has_second ? collect_predicate([&](unsigned lane) { return carries[lane] >= 2; }) : 0);
}

/// The same where nobody asks for carries: sums of words.
void add_words(const lane_operands& in, unsigned terms, lane_result& out) {
  warp::lane_vector sums{};
  for (unsigned s = 0; s < terms; ++s) {
    const addend term = in.term(s);
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) sums[lane] += term.bits[lane] + term.one;
  }
  out.registers[0] = sums;
}

/// Sum of the first `terms` operands and, with .X, of the carries in the predicates behind them.
void add_terms(const lane_operands& in, unsigned terms, lane_result& out) {
  if (in.code().destination_count < 2 && !in.mods().carry_in) return add_words(in, terms, out);
  wide_lanes sums{};
  for (unsigned s = 0; s < terms; ++s) accumulate(sums, in.term(s));
  if (in.mods().carry_in)
    for (unsigned s = terms; s < in.code().source_count; ++s) accumulate(sums, in.predicate(s));
  deliver(sums, in.code(), out);
}

std::int64_t sign_extended(std::uint32_t value) { return static_cast<std::int32_t>(value); }

/// The 64-bit product of the two factors in a lane, with the sign of their negations.
std::uint64_t product(const lane_operands& in, unsigned lane, bool is_signed) {
  const std::uint32_t a = in.raw(0)[lane], b = in.raw(1)[lane];
  const std::uint64_t value =
      is_signed ? static_cast<std::uint64_t>(sign_extended(a) * sign_extended(b)) : std::uint64_t{a} * std::uint64_t{b};
  return in.is_negated(0) != in.is_negated(1) ? 0 - value : value;
}

constexpr unsigned multiply_add_carry = 3;  // source that holds the carry into a multiply-add

/// IMAD.WIDE and .HI: sums of 64 bits.
void multiply_add_wide(const lane_operands& in, lane_result& out) {
  const bool is_signed = isa::is_signed(in.mods().type);
  const std::uint32_t carry_in = in.mods().carry_in ? in.predicate(multiply_add_carry) : 0;
  std::uint32_t carry_out = 0;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const std::uint64_t factors = product(in, lane, is_signed);
    const std::uint64_t partial = factors + in.pair(2, lane);
    const std::uint64_t sum = partial + predicate_bit(carry_in, lane);
    carry_out |= (partial < factors || sum < partial ? 1U : 0U) << lane;
    const auto low = static_cast<std::uint32_t>(sum), high = static_cast<std::uint32_t>(sum >> 32U);
    out.registers[0][lane] = in.mods().high ? high : low;
    out.registers[1][lane] = high;
  }
  set_predicates(in.code(), out, carry_out);
}

/// How a comparison orders two values: bit 0 less, bit 1 equal, bit 2 greater.
constexpr unsigned less = 1, equal = 2, greater = 4;

unsigned accepted_orders(isa::comparison compare) {
  switch (compare) {
    case isa::comparison::less:
      return less;
    case isa::comparison::equal:
      return equal;
    case isa::comparison::less_equal:
      return less | equal;
    case isa::comparison::greater:
      return greater;
    case isa::comparison::not_equal:
      return less | greater;
    case isa::comparison::greater_equal:
      return greater | equal;
    case isa::comparison::always:
      return less | equal | greater;
    default:
      return 0;
  }
}

/// Flips the sign bit, so that signed values compare as unsigned ones.
std::uint32_t comparison_bias(const isa::modifiers& mods) { return isa::is_signed(mods.type) ? 0x80000000U : 0; }

/// The predicates of two values being less and being equal.
struct ordering {
  std::uint32_t less = 0, equal = 0;
};

ordering order(const lane_operands& in) {
  const warp::lane_vector a = in.word(0), b = in.word(1);
  const std::uint32_t bias = comparison_bias(in.mods());
  return {collect_predicate([&](unsigned lane) { return (a[lane] ^ bias) < (b[lane] ^ bias); }),
          collect_predicate([&](unsigned lane) { return a[lane] == b[lane]; })};
}

/// UIADD3.64.
void add_pairs(const lane_operands& in, lane_result& out) {
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const std::uint64_t sum = in.pair(0, lane) + in.pair(1, lane) + in.pair(2, lane);
    out.registers[0][lane] = static_cast<std::uint32_t>(sum);
    out.registers[1][lane] = static_cast<std::uint32_t>(sum >> 32U);
  }
}

void add(const lane_operands& in, lane_result& out) { in.mods().wide ? add_pairs(in, out) : add_terms(in, 3, out); }

/// VIADD.16x2: of each half.
void add_halves(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.raw(0), b = in.raw(1);
  const auto signed_half = [&](unsigned s, std::uint32_t half) { return in.is_negated(s) ? 0U - half : half; };
  set_lanes(out.registers[0], [&](unsigned lane) {
    std::uint32_t result = 0;
    for (const unsigned shift : {0U, warp::half_bits}) {
      const std::uint32_t sum = signed_half(0, a[lane] >> shift) + signed_half(1, b[lane] >> shift);
      result |= (sum & warp::half_mask) << shift;
    }
    return result;
  });
}

void add_two(const lane_operands& in, lane_result& out) { in.mods().packed ? add_halves(in, out) : add_terms(in, 2, out); }

void multiply_add(const lane_operands& in, lane_result& out) {
  if (in.mods().wide || in.mods().high) return multiply_add_wide(in, out);
  wide_lanes sums{};
  accumulate(sums, in.term(2));
  if (in.mods().carry_in) accumulate(sums, in.predicate(multiply_add_carry));
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) sums[lane] += static_cast<std::uint32_t>(product(in, lane, false));
  deliver(sums, in.code(), out);
}

/// LEA, ULEA. (a << shift) + b. With .HI the shifted value has 64 bits, {c, a} or, with .SX32, the sign-extended a, and its upper word is
/// added.
void shift_add(const lane_operands& in, lane_result& out) {
  const bool high = in.mods().high, has_upper_word = high && !in.mods().sign_extend;
  const unsigned amount_source = has_upper_word ? 3 : 2;
  const unsigned amount = in.immediate(amount_source) & 31U;

  addend shifted{{}, in.is_negated(0) && !high ? 1U : 0U};
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const std::uint32_t low = in.raw(0)[lane];
    const std::uint32_t sign = (low >> 31U) != 0 ? 0xffffffffU : 0;
    const std::uint32_t upper = has_upper_word ? in.raw(2)[lane] : sign;
    std::uint64_t value = (std::uint64_t{upper} << 32U | low) << amount;
    if (in.is_inverted(0) || shifted.one != 0) value = ~value;
    if (in.is_negated(0) && high) value = 0 - value;
    shifted.bits[lane] = static_cast<std::uint32_t>(high ? value >> 32U : value);
  }
  wide_lanes sums{};
  accumulate(sums, shifted);
  accumulate(sums, in.term(1));
  if (in.mods().carry_in) accumulate(sums, in.predicate(amount_source + 1));
  deliver(sums, in.code(), out);
}

/// VIMNMX.U16x2, S16x2: of each half.
void minimum_maximum_of_halves(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.word(0), b = in.word(1);
  const std::uint32_t take_smaller = in.predicate(2), bias = isa::is_signed(in.mods().type) ? 0x8000U : 0;
  set_lanes(out.registers[0], [&](unsigned lane) {
    const bool smaller = predicate_bit(take_smaller, lane) != 0;
    std::uint32_t result = 0;
    for (const unsigned shift : {0U, warp::half_bits}) {
      const std::uint32_t x = a[lane] >> shift & warp::half_mask, y = b[lane] >> shift & warp::half_mask;
      const std::uint32_t chosen = ((x ^ bias) < (y ^ bias)) == smaller ? x : y;
      result |= (in.mods().clamp_negative && (chosen >> 15U) != 0 ? 0 : chosen) << shift;
    }
    return result;
  });
}

bool extremum_form(const isa::instruction& code) { return code.mods.packed || word_form(code); }

/// IMNMX, VIMNMX: the smaller one where the predicate is true, with .RELU nothing below zero.
void minimum_maximum(const lane_operands& in, lane_result& out) {
  if (in.mods().packed) return minimum_maximum_of_halves(in, out);
  const warp::lane_vector a = in.word(0), b = in.word(1);
  const std::uint32_t take_smaller = in.predicate(2);
  const std::uint32_t a_smaller = order(in).less;
  const std::uint32_t take_a = ~(take_smaller ^ a_smaller);
  const bool clamp = in.mods().clamp_negative;
  set_lanes(out.registers[0], [&](unsigned lane) {
    const std::uint32_t chosen = predicate_bit(take_a, lane) != 0 ? a[lane] : b[lane];
    return clamp && (chosen >> 31U) != 0 ? 0 : chosen;
  });
}

void absolute_value(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.word(0);
  set_lanes(out.registers[0], [&](unsigned lane) { return (a[lane] >> 31U) != 0 ? 0U - a[lane] : a[lane]; });
}

/// ISETP, UISETP. With .EX the operands are upper words: where they are equal the predicate of the lower words decides.
void compare(const lane_operands& in, lane_result& out) {
  const unsigned accepted = accepted_orders(in.mods().compare);
  const ordering found = order(in);
  const std::uint32_t if_equal = in.mods().extended ? in.predicate(3) : ((accepted & equal) != 0 ? 0xffffffffU : 0);
  std::uint32_t holds = found.equal & if_equal;
  if ((accepted & less) != 0) holds |= found.less & ~found.equal;
  if ((accepted & greater) != 0) holds |= ~found.less & ~found.equal;
  const std::uint32_t other = in.predicate(2);
  set_predicates(in.code(), out, combined(in.mods().combine, holds, other), combined(in.mods().combine, ~holds, other));
}

void select(const lane_operands& in, lane_result& out) {
  const warp::lane_vector a = in.word(0), b = in.word(1);
  const std::uint32_t take_a = in.predicate(2);
  set_lanes(out.registers[0], [&](unsigned lane) { return predicate_bit(take_a, lane) != 0 ? a[lane] : b[lane]; });
}

void move(const lane_operands& in, lane_result& out) { out.registers[0] = in.word(0); }

}  // namespace

std::vector<lane_row> arithmetic_lane_operations() {
  using isa::opcode;
  return {
      {opcode::iadd3, add, word_form},
      {opcode::uiadd3, add, pair_form},
      {opcode::viadd, add_two, word_form},
      {opcode::imad, multiply_add, word_form},
      {opcode::uimad, multiply_add, word_form},
      {opcode::lea, shift_add, word_form},
      {opcode::ulea, shift_add, word_form},
      {opcode::imnmx, minimum_maximum, word_form},
      {opcode::vimnmx, minimum_maximum, extremum_form},
      {opcode::iabs, absolute_value, word_form},
      {opcode::isetp, compare, word_form},
      {opcode::uisetp, compare, word_form},
      {opcode::sel, select, word_form},
      {opcode::usel, select, word_form},
      {opcode::mov, move, word_form},
      {opcode::umov, move, word_form},
      {opcode::r2ur, move, uniform_move_form},
  };
}

}  // namespace tc::lanes
