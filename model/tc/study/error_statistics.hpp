// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include <tc/numerics/number_format.hpp>
#include <tc/study/exact_accumulator.hpp>

namespace tc::study {

/// Sizes of errors in one unit.
struct error_measure {
  double maximum = 0;
  double sum = 0;          ///< of sizes
  double square_sum = 0;   ///< of their squares
  double outward_sum = 0;  ///< of signed errors: positive where the result's magnitude is too large
};

/// How far results are from the exact ones. Numbers of results count all; everything else is about results that are finite.
///
/// An ulp is the distance of two neighbours in the result's format around the exact value, within the subnormals' one at the least. The
/// relative error is against the sum of |a_i b_i|, as in backward error analysis: no algorithm has a small error against a sum that
/// cancels.
class error_statistics {
 public:
  /// `product_magnitudes`: sum of |a_i b_i|.
  void add(std::uint64_t result, const numerics::number_format& format, const exact_accumulator& exact, double product_magnitudes);

  std::uint64_t results() const { return results_; }
  std::uint64_t not_finite() const { return not_finite_; }                ///< infinity or NaN
  std::uint64_t exact() const { return exact_; }                          ///< without error
  std::uint64_t correctly_rounded() const { return correctly_rounded_; }  ///< the nearest number, of two the even one
  std::uint64_t within_one_ulp() const { return within_one_ulp_; }        ///< less than an ulp away

  /// In ulps and relative. The mean and the root mean square are over all finite results.
  const error_measure& ulps() const { return ulps_; }
  const error_measure& relative() const { return relative_; }
  double mean(const error_measure& measure) const { return average(measure.sum); }
  double root_mean_square(const error_measure& measure) const;
  /// Mean signed error: negative where results tend to be too small in magnitude, as after truncation.
  double bias(const error_measure& measure) const { return average(measure.outward_sum); }

  /// Results by the power of two of their error: 2^key ulp or more, less than 2^(key + 1). Exact ones are in none.
  const std::map<int, std::uint64_t>& histogram() const { return histogram_; }

 private:
  double average(double sum) const { return results_ == not_finite_ ? 0 : sum / static_cast<double>(results_ - not_finite_); }

  std::uint64_t results_ = 0, not_finite_ = 0, exact_ = 0, correctly_rounded_ = 0, within_one_ulp_ = 0;
  error_measure ulps_, relative_;
  std::map<int, std::uint64_t> histogram_;
};

}  // namespace tc::study
