// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tc::numerics {

// What MUFU returns, bit for bit: equal to an H200 for all 2^32 operands of each function, and to what was recorded on an H100. Other
// generations are inferred to be the same. docs/arithmetic.md says how the operands are reduced, and how large the errors are.
//
// Operands and results are elements of f32. Those of the functions of the upper half are the upper 32 bits of f64; the unit does not see
// the lower ones, and compiled code sets them to zero. Subnormal operands are zeros, and results too small to be normal are zeros of their
// sign, but for the hyperbolic tangent. NaN is the canonical one, 0x7fffffff.

std::uint32_t approximate_reciprocal(std::uint32_t x);
std::uint32_t approximate_reciprocal_root(std::uint32_t x);
std::uint32_t approximate_root(std::uint32_t x);
std::uint32_t approximate_power_of_two(std::uint32_t x);
std::uint32_t approximate_logarithm(std::uint32_t x);  ///< of base 2
std::uint32_t approximate_sine(std::uint32_t turns);   ///< of x turns; so is the cosine
std::uint32_t approximate_cosine(std::uint32_t turns);
std::uint32_t approximate_hyperbolic_tangent(std::uint32_t x);
std::uint32_t approximate_upper_reciprocal(std::uint32_t x);
std::uint32_t approximate_upper_reciprocal_root(std::uint32_t x);

}  // namespace tc::numerics
