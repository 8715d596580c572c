// SPDX-License-Identifier: Apache-2.0
#include "form.hpp"

namespace tc::machine_code {

unsigned bit_field::width() const {
  unsigned bits = 0;
  for (std::size_t i = 0; i < range_count; ++i) bits += ranges[i].count;
  return bits;
}

namespace {

constexpr unsigned half_bits = 64;

std::uint64_t low_bits(std::uint64_t value, unsigned count) {
  return count >= half_bits ? value : value & ((std::uint64_t{1} << count) - 1);
}

/// Consecutive bits, which may lie in both halves.
std::uint64_t bits_of(const isa::instruction_word& word, bit_field::range range) {
  if (range.first >= half_bits) return low_bits(word.high >> (range.first - half_bits), range.count);
  std::uint64_t value = word.low >> range.first;
  if (range.first != 0) value |= word.high << (half_bits - range.first);
  return low_bits(value, range.count);
}

}  // namespace

std::uint64_t bit_field::of(const isa::instruction_word& word) const {
  std::uint64_t value = 0;
  unsigned shift = 0;
  for (std::size_t i = 0; i < range_count; ++i) {
    value |= bits_of(word, ranges[i]) << shift;
    shift += ranges[i].count;
  }
  return value;
}

std::int64_t bit_field::signed_of(const isa::instruction_word& word) const {
  const unsigned unused = half_bits - width();
  return static_cast<std::int64_t>(of(word) << unused) >> unused;
}

bool has_bit(const isa::instruction_word& word, std::uint8_t bit) {
  if (bit == no_bit) return false;
  return ((bit < half_bits ? word.low >> bit : word.high >> (bit - half_bits)) & 1U) != 0;
}

}  // namespace tc::machine_code
