// SPDX-License-Identifier: Apache-2.0
#include "adder_tree.hpp"

#include <algorithm>
#include <array>

#include <tc/numerics/datapath_rules.hpp>

namespace tc::numerics {

adder_tree::adder_tree(const dot_product_types& types, const dot_product_parameters& parameters)
    : a_(types.a),
      b_(types.b),
      group_length_(parameters.group_length),
      accumulator_(types.accumulator, parameters.output_rounding, parameters.flush_subnormals) {
  check_unscaled(types, parameters);
  check_product_width(types, 53);
}

std::uint64_t adder_tree::operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const {
  for (unsigned first = 0; first < k; first += group_length_)
    c = accumulator_.add(c, group_sum(a, b, first, std::min(group_length_, k - first)));
  return c;
}

std::uint64_t adder_tree::group_sum(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count) const {
  std::array<std::uint64_t, maximum_group_length> sums;
  for (unsigned i = 0; i < count; ++i) {
    const exact_number x = exact_value(packed_element(a, first + i, a_), a_), y = exact_value(packed_element(b, first + i, b_), b_);
    sums[i] = accumulator_.round(product_of(x, y));
  }
  for (; count > 1; count = (count + 1) / 2) {
    for (unsigned i = 0; i + 1 < count; i += 2) sums[i / 2] = accumulator_.add(sums[i], sums[i + 1]);
    if (count % 2 == 1) sums[count / 2] = sums[count - 1];
  }
  return sums[0];
}

}  // namespace tc::numerics
