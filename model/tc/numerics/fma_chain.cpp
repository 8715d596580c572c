// SPDX-License-Identifier: Apache-2.0
#include "fma_chain.hpp"

#include <tc/numerics/datapath_rules.hpp>

namespace tc::numerics {

fma_chain::fma_chain(const dot_product_types& types, const dot_product_parameters& parameters)
    : a_(types.a), b_(types.b), accumulator_(types.accumulator, parameters.output_rounding, parameters.flush_subnormals) {
  check_unscaled(types, parameters);
  check_product_width(types, 53);
}

std::uint64_t fma_chain::operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const {
  for (unsigned i = 0; i < k; ++i) {
    const exact_number product = product_of(exact_value(packed_element(a, i, a_), a_), exact_value(packed_element(b, i, b_), b_));
    c = accumulator_.add_to_element(product, c);
  }
  return c;
}

}  // namespace tc::numerics
