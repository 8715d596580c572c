// SPDX-License-Identifier: Apache-2.0
#include "parameter_value.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include <tc/isa/element_type.hpp>
#include <tc/isa/number_text.hpp>
#include <tc/numerics/rounded_arithmetic.hpp>

namespace tc::launches {

namespace {

std::vector<std::uint8_t> bytes_of_value(std::uint64_t value, unsigned bytes) {
  std::vector<std::uint8_t> result(bytes);
  for (unsigned i = 0; i < bytes; ++i) result[i] = static_cast<std::uint8_t>(value >> 8 * i);
  return result;
}

std::vector<std::uint8_t> hex_value(std::string_view digits) {
  constexpr std::string_view known = "0123456789abcdef0123456789ABCDEF";
  if (digits.empty() || digits.size() % 2 != 0 || digits.find_first_not_of(known) != std::string_view::npos)
    throw std::invalid_argument(fmt::format("'{}' must be two hexadecimal digits for each byte", digits));
  std::vector<std::uint8_t> result(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); ++i)
    result[i / 2] = static_cast<std::uint8_t>(unsigned{result[i / 2]} << 4U | known.find(digits[i]) % 16U);
  return result;
}

/// Bytes of an integer type, signed or not; nothing for another type.
struct integer_kind {
  unsigned bytes;
  bool is_signed;
};

std::optional<integer_kind> find_integer(std::string_view type) {
  if (type == "pointer") return integer_kind{8, false};
  for (const unsigned bytes : {1U, 2U, 4U, 8U})
    for (const bool is_signed : {false, true})
      if (type == fmt::format("{}{}", is_signed ? 's' : 'u', 8 * bytes)) return integer_kind{bytes, is_signed};
  return std::nullopt;
}

std::vector<std::uint8_t> integer_value(std::string_view type, std::string_view text, const integer_kind& kind) {
  const bool is_negative = !text.empty() && text.front() == '-';
  const auto magnitude = isa::parse_unsigned_64(is_negative ? text.substr(1) : text);
  const unsigned bits = 8 * kind.bytes;
  const std::uint64_t most = ~std::uint64_t{0} >> (64 - bits + (kind.is_signed ? 1 : 0));
  const bool fits = magnitude && (is_negative ? kind.is_signed && *magnitude <= most + 1 : *magnitude <= most);
  if (!fits) throw std::invalid_argument(fmt::format("'{}' is no number of type {}", text, type));
  return bytes_of_value(is_negative ? 0 - *magnitude : *magnitude, kind.bytes);
}

std::vector<std::uint8_t> float_value(std::string_view text, const numerics::number_format& format) {
  const std::string number(text);
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0') throw std::invalid_argument(fmt::format("'{}' is no number", text));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  if (!(format == numerics::f64)) {
    const numerics::rounded_arithmetic rounded(format, {numerics::rounding_mode::to_nearest_even, format.fraction_bits});
    bits = rounded.round(numerics::exact_value(bits, numerics::f64));
  }
  return bytes_of_value(bits, format.storage_bits / 8);
}

/// Members lie behind each other, each at a multiple of its size; the whole is a multiple of the largest one.
std::vector<std::uint8_t> struct_value(std::string_view members) {
  std::vector<std::uint8_t> result;
  std::size_t largest = 1;
  const auto align = [&result](std::size_t size) { result.resize((result.size() + size - 1) / size * size); };
  while (!members.empty()) {
    const std::size_t comma = std::min(members.find(','), members.size());
    const std::string_view member = members.substr(0, comma);
    const std::size_t begin = std::min(member.find_first_not_of(' '), member.size());
    const std::vector<std::uint8_t> bytes = parameter_bytes(member.substr(begin));
    const bool is_number = member.substr(begin, 3) != "hex";
    if (is_number) align(bytes.size());
    if (is_number) largest = std::max(largest, bytes.size());
    result.insert(result.end(), bytes.begin(), bytes.end());
    members.remove_prefix(std::min(comma + 1, members.size()));
  }
  if (result.empty()) throw std::invalid_argument("a struct has members: 'struct f32 1.0, s32 -3'");
  align(largest);
  return result;
}

}  // namespace

std::vector<std::uint8_t> parameter_bytes(std::string_view text) {
  const std::size_t blank = text.find(' ');
  const std::string_view type = text.substr(0, blank);
  const std::size_t begin = text.find_first_not_of(' ', blank);
  const std::string_view value =
      begin == std::string_view::npos || blank == std::string_view::npos ? std::string_view() : text.substr(begin);
  if (type == "hex") return hex_value(value);
  if (type == "struct") return struct_value(value);
  if (const auto integer = find_integer(type)) return integer_value(type, value, *integer);
  for (const char* known : {"f16", "bf16", "f32", "f64"})
    if (type == known) return float_value(value, isa::format_of(*isa::find_element_type(type)));
  throw std::invalid_argument(
      fmt::format("unknown type '{}'; a parameter is 'TYPE VALUE' of u8 to u64, s8 to s64, f16, bf16, f32, f64 or pointer, 'struct TYPE "
                  "VALUE, ...' or 'hex DIGITS'",
                  type));
}

}  // namespace tc::launches
