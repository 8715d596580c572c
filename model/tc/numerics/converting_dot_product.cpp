// SPDX-License-Identifier: Apache-2.0
#include "converting_dot_product.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <tc/numerics/datapath_rules.hpp>

namespace tc::numerics {

namespace {

dot_product_types converted(const dot_product_types& types) { return {f16, f16, types.accumulator, types.operation, types.scaling}; }

constexpr unsigned bytes_per_word = 4, byte_bits = 8;

}  // namespace

converting_dot_product::converting_dot_product(const dot_product_types& types, const dot_product_parameters& parameters)
    : a_(to_f16(types.a)), b_(to_f16(types.b)), unit_(converted(types), parameters) {}

converting_dot_product::conversion_table converting_dot_product::to_f16(const number_format& format) {
  require(format.storage_bits == byte_bits && format.exponent_bits <= f16.exponent_bits,
          fmt::format("factors converted to f16 are e4m3 or e5m2, not '{}'", format.name));
  conversion_table table{};
  for (unsigned byte = 0; byte < table.size(); ++byte) table[byte] = static_cast<std::uint16_t>(encode(value_of(byte, format), f16));
  return table;
}

std::uint64_t converting_dot_product::operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const {
  const unsigned words = (k + bytes_per_word - 1) / bytes_per_word;
  std::vector<std::uint32_t> row_a(words), row_b(words);
  const auto convert = [](std::uint32_t word, unsigned half, const conversion_table& table) {
    const std::uint32_t pair = word >> (half * 2 * byte_bits);
    return table[pair & 0xff] | std::uint32_t{table[pair >> byte_bits & 0xff]} << f16.storage_bits;
  };
  for (const unsigned half : {0U, 1U}) {
    for (unsigned w = 0; w < words; ++w) {
      row_a[w] = convert(a[w], half, a_);
      row_b[w] = convert(b[w], half, b_);
    }
    const unsigned beyond = k % bytes_per_word == 0 ? 0 : bytes_per_word - k % bytes_per_word;  // elements missing in the last word
    const unsigned missing = half == 0 ? beyond - std::min(beyond, 2U) : std::min(beyond, 2U);
    c = unit_(row_a.data(), row_b.data(), 2 * words - missing, c);
  }
  return c;
}

}  // namespace tc::numerics
