// SPDX-License-Identifier: Apache-2.0
#include "input_distribution.hpp"

#include <cmath>

namespace tc::study {

namespace {

constexpr double pi = 3.141592653589793;

}  // namespace

const std::vector<distribution_text>& distribution_texts() {
  static const std::vector<distribution_text> texts{
      {input_distribution::uniform, "uniform", "U[-1, 1)"},
      {input_distribution::positive, "positive", "U[0, 1)"},
      {input_distribution::normal, "normal", "N(0, 1)"},
      {input_distribution::lognormal, "lognormal", "+-exp(N(0, 1)), both signs alike"},
      {input_distribution::exponents, "exponents", "+-(1 + U[0, 1)) x 2^e, e uniform among -8, ..., 7"},
      {input_distribution::cancelling, "cancelling",
       "N(0, 1) for even k; after each, -a and b x (1 + U[-1, 1) / 16): every other product nearly cancels the one before"},
      {input_distribution::integers, "integers", "uniform among -8, ..., 8: sums that most formats hold exactly"},
  };
  return texts;
}

input_generator::rows input_generator::next(unsigned k) {
  const unsigned words = numerics::words_for(k, format_);
  rows result{std::vector<std::uint32_t>(words), std::vector<std::uint32_t>(words)};
  const auto set = [this](std::vector<std::uint32_t>& row, unsigned i, double value) {
    numerics::set_packed_element(
        row.data(), i, format_,
        numerics::encode(value, format_, numerics::rounding_mode::to_nearest_even, numerics::overflow_rule::saturate));
  };
  double a = 0, b = 0;
  for (unsigned i = 0; i < k; ++i) {
    if (distribution_ == input_distribution::cancelling && i % 2 == 1) {
      a = -a;
      b *= 1 + (2 * uniform() - 1) / 16;
    } else {
      a = number();
      b = number();
    }
    set(result.a, i, a);
    set(result.b, i, b);
  }
  return result;
}

double input_generator::number() {
  switch (distribution_) {
    case input_distribution::uniform:
      return 2 * uniform() - 1;
    case input_distribution::positive:
      return uniform();
    case input_distribution::normal:
    case input_distribution::cancelling:
      return normal();
    case input_distribution::lognormal: {
      const double direction = sign();
      return direction * std::exp(normal());
    }
    case input_distribution::exponents: {
      const double significand = sign() * (1 + uniform());
      return std::ldexp(significand, integer(-8, 7));
    }
    case input_distribution::integers:
      return integer(-8, 8);
  }
  return 0;
}

double input_generator::uniform() { return std::ldexp(static_cast<double>(random_() >> 11), -53); }

// Box and Muller, 1958. The standard library's distributions differ between implementations.
double input_generator::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * pi * uniform());
}

int input_generator::integer(int first, int last) {
  return first + static_cast<int>(std::floor(uniform() * static_cast<double>(last - first + 1)));
}

}  // namespace tc::study
