// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include <tc/numerics/number_format.hpp>

namespace tc::study {

/// How the elements of A and B are distributed, before they are rounded to nearest even into their format (beyond its largest number:
/// to that one). U is uniform and N normal.
enum class input_distribution : std::uint8_t {
  uniform,     ///< U[-1, 1)
  positive,    ///< U[0, 1)
  normal,      ///< N(0, 1)
  lognormal,   ///< +-exp(N(0, 1)), both signs alike
  exponents,   ///< +-(1 + U[0, 1)) x 2^e, e uniform among -8, ..., 7
  cancelling,  ///< N(0, 1) for even k; after each, -a and b x (1 + U[-1, 1) / 16): every other product nearly cancels the one before
  integers,    ///< uniform among -8, ..., 8: sums that most formats hold exactly
};

/// A distribution's name and formula, for users.
struct distribution_text {
  input_distribution distribution;
  std::string_view name, formula;
};
const std::vector<distribution_text>& distribution_texts();

/// Draws rows of A and columns of B. The same seed gives the same numbers on every machine.
class input_generator {
 public:
  input_generator(input_distribution distribution, const numerics::number_format& format, std::uint64_t seed)
      : distribution_(distribution), format_(format), random_(seed) {}

  /// Packed elements, in ascending k.
  struct rows {
    std::vector<std::uint32_t> a, b;
  };
  /// The next row and column of `k` elements.
  rows next(unsigned k);

 private:
  double number();
  double uniform();  ///< U[0, 1)
  double normal();
  int integer(int first, int last);
  double sign() { return (random_() >> 63) != 0 ? -1.0 : 1.0; }

  input_distribution distribution_;
  numerics::number_format format_;
  std::mt19937_64 random_;
};

}  // namespace tc::study
