// SPDX-License-Identifier: Apache-2.0
#include "exact_accumulator.hpp"

#include <algorithm>

#include <tc/numerics/rounding.hpp>

namespace tc::study {

using numerics::number_format;
using numerics::unpacked_number;

namespace {

int lowest_bit_exponent(const unpacked_number& x, const number_format& format) {
  return x.exponent - static_cast<int>(format.fraction_bits);
}

}  // namespace

void exact_accumulator::add(std::uint64_t bits, const number_format& format) {
  const unpacked_number x = numerics::unpack(bits, format);
  add_scaled(x.significand, lowest_bit_exponent(x, format), x.negative);
}

void exact_accumulator::add_product(std::uint64_t a_bits, const number_format& a, std::uint64_t b_bits, const number_format& b) {
  const unpacked_number x = numerics::unpack(a_bits, a), y = numerics::unpack(b_bits, b);
  const int exponent = lowest_bit_exponent(x, a) + lowest_bit_exponent(y, b);
  // Significands of f64 do not fit 32 bits, nor their product 64: halves meet halves.
  for (const int of_x : {0, 32}) {
    for (const int of_y : {0, 32}) {
      const std::uint64_t part = (x.significand >> of_x & 0xffffffff) * (y.significand >> of_y & 0xffffffff);
      if (part != 0) add_scaled(part, exponent + of_x + of_y, x.negative != y.negative);
    }
  }
}

void exact_accumulator::add_scaled(std::uint64_t magnitude, int exponent, bool negative) {
  const auto position = static_cast<std::size_t>(exponent - lowest_exponent);
  const std::size_t shift = position % 64;
  const std::uint64_t parts[] = {magnitude << shift, shift == 0 ? 0 : magnitude >> (64 - shift)};
  std::uint64_t carry = 0;
  for (std::size_t i = position / 64, part = 0; i < word_count && (part < 2 || carry != 0); ++i, ++part) {
    const std::uint64_t change = (part < 2 ? parts[part] : 0) + carry;  // the second part has a bit to spare for the carry of the first
    const std::uint64_t before = words_[i];
    words_[i] = negative ? before - change : before + change;
    carry = (negative ? before < change : words_[i] < before) ? 1 : 0;
  }
}

exact_accumulator& exact_accumulator::operator-=(const exact_accumulator& other) {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < word_count; ++i) {
    const std::uint64_t before = words_[i], change = other.words_[i] + borrow;
    words_[i] = before - change;
    borrow = change < borrow || before < change ? 1 : 0;
  }
  return *this;
}

bool exact_accumulator::is_zero() const {
  return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
}

std::array<std::uint64_t, exact_accumulator::word_count> exact_accumulator::magnitude() const {
  if (!is_negative()) return words_;
  auto negated = words_;
  bool carry = true;
  for (auto& word : negated) {
    word = ~word + (carry ? 1 : 0);
    carry = carry && word == 0;
  }
  return negated;
}

int exact_accumulator::exponent() const {
  const auto words = magnitude();
  std::size_t top = word_count - 1;
  while (words[top] == 0) --top;
  return lowest_exponent + static_cast<int>(64 * top) + 63 - __builtin_clzll(words[top]);
}

std::uint64_t exact_accumulator::rounded(const number_format& format) const {
  if (is_zero()) return 0;
  // The leading bits, one more than any format needs to round, and whether anything follows them.
  constexpr int leading = 60;
  const auto words = magnitude();
  const int lowest_kept = exponent() - leading + 1;
  std::uint64_t significand = 0;
  bool is_more = false;
  for (int i = 0; i < static_cast<int>(word_count); ++i) {
    const std::uint64_t word = words[static_cast<std::size_t>(i)];
    const int shift = lowest_exponent + 64 * i - lowest_kept;  // from the weight in this word to that in the significand
    if (shift <= -64) {
      is_more = is_more || word != 0;
    } else if (shift < 0) {
      significand |= word >> -shift;
      is_more = is_more || word << (64 + shift) != 0;
    } else if (shift < leading) {
      significand |= word << shift;
    }
  }
  const auto value = static_cast<std::int64_t>(significand << 1 | (is_more ? 1 : 0));
  const std::uint64_t rounded_magnitude =
      numerics::round_magnitude({value, lowest_kept - 1}, format, {numerics::rounding_mode::to_nearest_even, format.fraction_bits});
  return (rounded_magnitude | (is_negative() ? format.sign_bit() : 0)) << format.ignored_bits;
}

double exact_accumulator::value() const { return numerics::value_of(rounded(numerics::f64), numerics::f64); }

}  // namespace tc::study
