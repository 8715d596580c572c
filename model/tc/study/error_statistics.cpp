// SPDX-License-Identifier: Apache-2.0
#include "error_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace tc::study {

using numerics::number_format;

namespace {

/// Exponent of the ulp of a value in a format.
int ulp_exponent(const exact_accumulator& value, const number_format& format) {
  const int exponent = value.is_zero() ? format.minimum_exponent() : std::max(value.exponent(), format.minimum_exponent());
  return exponent - static_cast<int>(format.fraction_bits);
}

void add_error(error_measure& measure, double outward) {
  const double size = std::abs(outward);
  measure.maximum = std::max(measure.maximum, size);
  measure.sum += size;
  measure.square_sum += size * size;
  measure.outward_sum += outward;
}

}  // namespace

void error_statistics::add(std::uint64_t result, const number_format& format, const exact_accumulator& exact, double product_magnitudes) {
  ++results_;
  if (!numerics::is_finite(numerics::unpack(result, format).category)) {
    ++not_finite_;
    return;
  }
  exact_accumulator error;
  error.add(result, format);
  error -= exact;
  const double outward = exact.is_negative() ? -error.value() : error.value();
  const double in_ulps = std::ldexp(outward, -ulp_exponent(exact, format));
  add_error(ulps_, in_ulps);
  add_error(relative_, product_magnitudes == 0 ? 0 : outward / product_magnitudes);
  if (numerics::value_of(result, format) == numerics::value_of(exact.rounded(format), format)) ++correctly_rounded_;
  if (std::abs(in_ulps) < 1) ++within_one_ulp_;
  if (in_ulps == 0)
    ++exact_;
  else
    ++histogram_[std::ilogb(in_ulps)];
}

double error_statistics::root_mean_square(const error_measure& measure) const { return std::sqrt(average(measure.square_sum)); }

}  // namespace tc::study
