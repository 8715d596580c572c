// SPDX-License-Identifier: Apache-2.0
#include "number_text.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace tc::numerics {

std::string hex_text(std::uint64_t bits, const number_format& format) {
  return fmt::format("0x{:0{}x}", bits & format.storage_mask(), (format.storage_bits + 3) / 4);
}

std::string decimal_text(std::uint64_t bits, const number_format& format) {
  const double value = value_of(bits, format);
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const std::uint64_t canonical = encode(value, format);
  std::string shortest;
  // More digits can make a shorter text: 65504 needs no exponent, 6.55e+04 does.
  for (int digits = 1; digits <= std::numeric_limits<double>::max_digits10; ++digits) {
    const std::string text = fmt::format("{:.{}g}", value, digits);
    double read_back = 0;
    std::from_chars(text.data(), text.data() + text.size(), read_back);
    if (encode(read_back, format) == canonical && (shortest.empty() || text.size() < shortest.size())) shortest = text;
  }
  return shortest;
}

std::string value_text(std::uint64_t bits, const number_format& format) {
  return fmt::format("{} ({})", hex_text(bits, format), decimal_text(bits, format));
}

}  // namespace tc::numerics
