// SPDX-License-Identifier: Apache-2.0
#include "number_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace tc::machine_code {

namespace {

/// From this magnitude on nvdisasm writes an exponent, and all digits.
constexpr double large_number = 1e9;

void add_number(std::string& text, double value) {
  const bool is_negative = std::signbit(value);
  if (std::isnan(value)) {
    text += is_negative ? "-QNAN " : "+QNAN ";
  } else if (std::isinf(value)) {
    text += is_negative ? "-INF " : "+INF ";
  } else if (value == 0) {
    text += is_negative ? "-0.0 " : "0";
  } else {
    std::array<char, 64> digits{};
    const int count = std::snprintf(digits.data(), digits.size(), std::abs(value) >= large_number ? "%.20e" : "%.20g", value);
    text.append(digits.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

void add_hexadecimal(std::string& text, std::uint64_t value) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  text += "0x";
  text.append(digits.data(), end);
}

void add_signed(std::string& text, std::int64_t value) {
  if (value < 0) text += '-';
  add_hexadecimal(text, value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
}

void add_f32(std::string& text, std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  constexpr std::uint32_t sign = 0x80000000;
  if (std::isnan(value)) {  // its sign would not outlive every conversion
    add_number(text, std::copysign(std::nan(""), (bits & sign) != 0 ? -1.0 : 1.0));
    return;
  }
  add_number(text, static_cast<double>(value));
}

void add_f64(std::string& text, std::uint32_t upper_bits) {
  const std::uint64_t bits = std::uint64_t{upper_bits} << 32U;
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  add_number(text, value);
}

void add_f16(std::string& text, std::uint16_t bits) {
  constexpr unsigned fraction_bits = 10, infinite = 0x1f, sign = 0x8000;
  constexpr int bias = 15;
  const unsigned exponent = (bits >> fraction_bits) & infinite, fraction = bits & ((1U << fraction_bits) - 1);
  double value = 0;
  if (exponent == infinite)
    value = fraction != 0 ? std::nan("") : INFINITY;
  else if (exponent == 0)
    value = std::ldexp(fraction, 1 - bias - static_cast<int>(fraction_bits));
  else
    value = std::ldexp(fraction + (1U << fraction_bits), static_cast<int>(exponent) - bias - static_cast<int>(fraction_bits));
  add_number(text, std::copysign(value, (bits & sign) != 0 ? -1.0 : 1.0));
}

void add_bf16(std::string& text, std::uint16_t bits) { add_f32(text, std::uint32_t{bits} << 16U); }

}  // namespace tc::machine_code
