// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/numerics/number_format.hpp>
#include <tc/numerics/rounding.hpp>

namespace tc::numerics {

/// The addend of a fused sum; zero for a subnormal one that is flushed.
inline unpacked_number unpack_addend(std::uint64_t c, const number_format& accumulator, const dot_product_parameters& parameters) {
  unpacked_number addend = unpack(c, accumulator);
  if (parameters.flush_subnormals && addend.category == number_class::subnormal) {
    addend.category = number_class::zero;
    addend.significand = 0;
  }
  return addend;
}

/// The smallest exponent that the terms of a fused sum are aligned to.
inline int smallest_alignment(const number_format& accumulator, const dot_product_parameters& parameters) {
  return accumulator.minimum_exponent() - static_cast<int>(parameters.alignment_floor);
}

/// A fused sum in the accumulator format; zero for a subnormal one that is flushed.
inline std::uint64_t round_sum(scaled_integer sum, const number_format& accumulator, const dot_product_parameters& parameters) {
  const std::uint64_t result = round_to_format(sum, accumulator, parameters.output_rounding);
  const bool is_subnormal = (result & accumulator.infinity()) == 0;
  return parameters.flush_subnormals && is_subnormal ? 0 : result;
}

}  // namespace tc::numerics
