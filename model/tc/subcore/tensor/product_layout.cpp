// SPDX-License-Identifier: Apache-2.0
#include "product_layout.hpp"

#include <tc/subcore/tensor/octet_step.hpp>
#include <tc/subcore/tensor/whole_product.hpp>

namespace tc::subcore {

std::unique_ptr<const product_layout> product_layout::of(const isa::mma_operation& mma) {
  const bool is_octet_step = mma.instances != 1;  // HMMA.884 is independent products of the octets, of which a step computes a part
  if (is_octet_step) return std::make_unique<octet_step>(mma);
  return std::make_unique<whole_product>(mma);
}

}  // namespace tc::subcore
