// SPDX-License-Identifier: Apache-2.0
#include "number_text.hpp"

#include <charconv>
#include <cstring>
#include <limits>
#include <system_error>

#include <tc/numerics/number_format.hpp>

namespace tc::isa {
namespace {

bool is_hexadecimal(std::string_view text) { return text.substr(0, 2) == "0x"; }

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  const bool hexadecimal = is_hexadecimal(text);
  const std::string_view digits = hexadecimal ? text.substr(2) : text;
  Number value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_decimal(std::string_view text) {
  if (text == "INF") return std::numeric_limits<double>::infinity();
  if (text == "QNAN") return std::numeric_limits<double>::quiet_NaN();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <typename Bits, typename Value>
Bits bits_of(Value value) {
  static_assert(sizeof(Bits) == sizeof(Value));
  Bits bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

std::optional<std::uint32_t> parse_unsigned(std::string_view text) { return parse_number<std::uint32_t>(text); }

std::optional<std::uint64_t> parse_unsigned_64(std::string_view text) { return parse_number<std::uint64_t>(text); }

std::optional<std::uint32_t> parse_immediate(std::string_view text, number_style style) {
  if (style == number_style::integer || is_hexadecimal(text)) return parse_unsigned(text);
  const auto value = parse_decimal(text);
  if (!value) return std::nullopt;
  switch (style) {
    case number_style::f32:
      return bits_of<std::uint32_t>(static_cast<float>(*value));
    case number_style::f64:
      return static_cast<std::uint32_t>(bits_of<std::uint64_t>(*value) >> 32);
    case number_style::packed_f16:
      return static_cast<std::uint32_t>(numerics::encode(*value, numerics::f16));
    default:
      return static_cast<std::uint32_t>(numerics::encode(*value, numerics::bf16));
  }
}

std::uint32_t negate_immediate(std::uint32_t bits, number_style style) {
  if (style == number_style::integer) return 0 - bits;
  const bool half = style == number_style::packed_f16 || style == number_style::packed_bf16;
  return bits ^ (half ? 0x8000U : 0x80000000U);
}

}  // namespace tc::isa
