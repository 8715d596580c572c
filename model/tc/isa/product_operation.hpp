// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/element_type.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/numerics/dot_product_parameters.hpp>

namespace tc::isa {

/// How the dot products of a matrix instruction combine their elements.
inline numerics::dot_product_operation product_operation_of(const mma_operation& mma) {
  using operation = numerics::dot_product_operation;
  switch (mma.combine) {
    case bit_operation::exclusive_or:
      return operation::binary_xor;
    case bit_operation::conjunction:
      return operation::binary_and;
    case bit_operation::none:
      break;
  }
  if (format_of(mma.a).is_floating_point()) return operation::float_sum;
  return mma.saturate ? operation::integer_saturate : operation::integer_wrap;
}

}  // namespace tc::isa
