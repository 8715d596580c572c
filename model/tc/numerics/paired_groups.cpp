// SPDX-License-Identifier: Apache-2.0
#include "paired_groups.hpp"

#include <algorithm>

namespace tc::numerics {

namespace {

dot_product_parameters truncating(dot_product_parameters parameters) {
  parameters.output_rounding = {rounding_mode::toward_zero, f64.fraction_bits};
  return parameters;
}

}  // namespace

paired_groups::paired_groups(const dot_product_types& types, const dot_product_parameters& parameters)
    : group_length_(parameters.group_length),
      group_(types, truncating(parameters)),
      adder_(types.accumulator, parameters.output_rounding, parameters.flush_subnormals) {}

std::uint64_t paired_groups::operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const {
  const auto group = [&](unsigned first) { return group_.group_sum(a, b, first, std::min(group_length_, k - first)); };
  for (unsigned first = 0; first < k; first += 2 * group_length_) {
    const unsigned partner = first + group_length_;
    c = adder_.add(c, partner < k ? adder_.add(group(first), group(partner)) : group(first));
  }
  return c;
}

}  // namespace tc::numerics
