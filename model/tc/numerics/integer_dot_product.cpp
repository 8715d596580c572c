// SPDX-License-Identifier: Apache-2.0
#include "integer_dot_product.hpp"

#include <algorithm>
#include <bitset>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace tc::numerics {

integer_dot_product::integer_dot_product(const number_format& a, const number_format& b, integer_overflow overflow)
    : a_(a), b_(b), overflow_(overflow) {
  for (const number_format& format : {a, b}) {
    if (format.is_floating_point() || format.storage_bits > 8)
      throw std::invalid_argument(fmt::format("integer dot product: '{}' is not an integer format of at most 8 bits", format.name));
  }
}

std::uint64_t integer_dot_product::operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const {
  std::int64_t sum = integer_value(c, s32);
  for (unsigned i = 0; i < k; ++i) sum += integer_value(packed_element(a, i, a_), a_) * integer_value(packed_element(b, i, b_), b_);
  if (overflow_ == integer_overflow::saturate) {
    using limits = std::numeric_limits<std::int32_t>;
    sum = std::clamp<std::int64_t>(sum, limits::min(), limits::max());
  }
  return static_cast<std::uint32_t>(sum);
}

binary_dot_product::binary_dot_product(const number_format& a, const number_format& b, bit_operation operation) : operation_(operation) {
  for (const number_format& format : {a, b}) {
    if (format != b1) throw std::invalid_argument(fmt::format("binary dot product: operands must be b1, not '{}'", format.name));
  }
}

std::uint64_t binary_dot_product::operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const {
  auto sum = static_cast<std::uint32_t>(c);
  for (unsigned first = 0; first < k; first += 32, ++a, ++b) {
    const std::uint32_t in_row = ~std::uint32_t{0} >> (32 - std::min(k - first, 32u));
    const std::uint32_t combined = operation_ == bit_operation::exclusive_or ? *a ^ *b : *a & *b;
    sum += static_cast<std::uint32_t>(std::bitset<32>(combined & in_row).count());
  }
  return sum;
}

}  // namespace tc::numerics
