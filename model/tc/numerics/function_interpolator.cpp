// SPDX-License-Identifier: Apache-2.0
#include "function_interpolator.hpp"

namespace tc::numerics {

namespace {

using square_table = std::array<std::uint16_t, 1U << 15U>;

/// Squares of numbers of 15 bits, bit k of which has the weight 2^(k-15). What a bit adds to the square of the bits below it are 2^(2k-30),
/// its own square, and the double of its products with them. In units of 2^-15, without products below one unit, these are 2^(2k-15) and
/// the bits below, shifted right by 14-k.
constexpr square_table all_squares() {
  constexpr unsigned lowest_bit_with_a_square = 8, bits = 15;
  square_table squares{};
  for (unsigned k = lowest_bit_with_a_square; k < bits; ++k)
    for (unsigned below = 0; below < 1U << k; ++below)
      squares[(1U << k) + below] = static_cast<std::uint16_t>(squares[below] + (1U << (2 * k - bits)) + (below >> (bits - 1 - k)));
  return squares;
}

}  // namespace

constexpr square_table truncated_squares = all_squares();

}  // namespace tc::numerics
