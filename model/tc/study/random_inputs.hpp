// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

#include <tc/study/vector_case.hpp>

namespace tc::study {

/// Random operands that tell datapaths apart. One case after the other holds
///
/// * numbers of similar size, whose sum rounds and whose low bits the alignment cuts off;
/// * numbers of very different size;
/// * products that nearly cancel, so that what was cut off decides;
/// * an addend far above or below the products;
/// * subnormals and the smallest normal numbers, and rows of zeros that leave a tiny addend alone;
/// * the largest numbers, whose sum overflows, and now and then infinities and NaN;
/// * any bits at all.
///
/// Integers are any, small, or extreme, so that sums wrap or saturate.
class random_inputs {
 public:
  random_inputs(const vector_header& header, std::uint64_t seed) : header_(header), random_(seed) {}

  /// The next case; D is zero.
  vector_case next();

 private:
  /// What the numbers of a case are like.
  enum class mixture : std::uint8_t { similar, different, cancelling, far_addend, tiny, huge, anything };
  static constexpr unsigned mixtures = 7;

  void fill_line(vector_case& values, vector_operand which, unsigned matrix, unsigned line, unsigned elements, mixture how);
  void fill(vector_case& values, vector_operand which, unsigned elements, mixture how);
  void fill_scales(vector_case& values, vector_operand which, mixture how);
  void make_cancelling(vector_case& values, unsigned matrix);

  std::uint64_t element(const numerics::number_format& format, mixture how, bool is_addend);
  std::uint64_t integer(const numerics::number_format& format, mixture how, bool is_addend);
  /// A number of a floating-point format with random sign, fraction, and an exponent from `low` to `high`, as far as the format goes.
  std::uint64_t number(const numerics::number_format& format, int low, int high);
  int between(int low, int high) { return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1)); }
  bool one_in(unsigned n) { return random_() % n == 0; }

  vector_header header_;
  std::mt19937_64 random_;
  std::uint64_t cases_ = 0;
};

}  // namespace tc::study
