// SPDX-License-Identifier: Apache-2.0
#include "binary_dot_product.hpp"

#include <algorithm>
#include <bitset>
#include <stdexcept>

#include <fmt/format.h>

namespace tc::numerics {

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
