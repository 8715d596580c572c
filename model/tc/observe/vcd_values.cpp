// SPDX-License-Identifier: Apache-2.0
#include "vcd_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace tc::observe {

namespace {

using byte_digits = std::array<char, 8>;

constexpr std::array<byte_digits, 256> all_digits() {
  std::array<byte_digits, 256> table{};
  for (std::size_t byte = 0; byte < 256; ++byte)
    for (std::size_t bit = 0; bit < 8; ++bit) table[byte][bit] = (byte >> (7 - bit)) & 1U ? '1' : '0';
  return table;
}

constexpr std::array<byte_digits, 256> digits = all_digits();

/// At least one.
unsigned significant_bits(std::uint64_t value) { return 64U - static_cast<unsigned>(__builtin_clzll(value | 1U)); }

}  // namespace

void vcd_values::time(std::uint64_t cycle) {
  std::array<char, 20> decimal{};
  const auto end = std::to_chars(decimal.data(), decimal.data() + decimal.size(), cycle);
  ((text_ += '#') += std::string_view(decimal.data(), static_cast<std::size_t>(end.ptr - decimal.data()))) += '\n';
}

void vcd_values::number(std::uint64_t value, unsigned bits, std::string_view identifier) {
  if (bits == 1) {
    ((text_ += (value & 1U) != 0 ? '1' : '0') += identifier) += '\n';
    return;
  }
  if (bits < 64) value &= (std::uint64_t{1} << bits) - 1;
  std::array<char, 64> binary{};
  const unsigned significant = significant_bits(value);
  for (unsigned b = 0; 8 * b < significant; ++b) {
    const byte_digits& each = digits[(value >> (8 * b)) & 0xffU];
    std::copy(each.begin(), each.end(), binary.end() - 8 * (b + 1));
  }
  (text_ += 'b').append(binary.end() - significant, binary.end());
  end_vector(identifier);
}

void vcd_values::text(std::string_view value, unsigned bits, std::string_view identifier) {
  text_ += 'b';
  bool is_first = true;
  for (const char c : value.substr(0, bits / 8)) {
    const byte_digits& each = digits[static_cast<unsigned char>(c)];
    const unsigned digits_left_out = is_first ? 8 - significant_bits(static_cast<unsigned char>(c)) : 0;
    text_.append(each.data() + digits_left_out, each.size() - digits_left_out);
    is_first = false;
  }
  if (is_first) text_ += '0';
  end_vector(identifier);
}

void vcd_values::undriven(unsigned bits, std::string_view identifier) {
  if (bits == 1) {
    ((text_ += 'z') += identifier) += '\n';
    return;
  }
  text_ += "bz";
  end_vector(identifier);
}

}  // namespace tc::observe
