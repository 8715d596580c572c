// SPDX-License-Identifier: Apache-2.0
#include "function_interpolator.hpp"

#include <array>
#include <cstddef>

namespace tc::numerics {

namespace {

constexpr unsigned square_bits = function_interpolator::square_bits, position_bits = function_interpolator::position_bits;
constexpr unsigned ignored_bits = 2;  // a product of the bit 2^-16 with the highest one, 2^-1, is 2^-16 already

std::uint16_t sum_of_partial_products(std::uint32_t position) {
  std::uint32_t square = 0;
  // Bit i has the weight 2^-i. With itself it gives 2^-2i, with each lower bit j 2^(1-i-j).
  for (unsigned i = 1; 2 * i <= square_bits; ++i) {
    const std::uint32_t itself = 1U << (square_bits - 2 * i);
    const std::uint32_t with_lower_bits = position >> (i + 1) & (2 * itself - 1);
    if ((position >> (position_bits - i) & 1U) != 0) square += itself + with_lower_bits;
  }
  return static_cast<std::uint16_t>(square);
}

/// Squares are looked up: to compute one would take most of the time of an evaluation.
using square_table = std::array<std::uint16_t, std::size_t{1} << (position_bits - ignored_bits)>;

square_table all_squares() {
  square_table squares;
  for (std::uint32_t upper = 0; upper < squares.size(); ++upper) squares[upper] = sum_of_partial_products(upper << ignored_bits);
  return squares;
}

}  // namespace

std::uint32_t truncated_square(std::uint32_t position) {
  static const square_table squares = all_squares();
  return squares[position >> ignored_bits];
}

}  // namespace tc::numerics
