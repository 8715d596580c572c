// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/numerics/number_format.hpp>

namespace tc::numerics {

/// The infinities and NaNs among the terms of a sum, which decide its result: NaN if a term is NaN, a product is infinity times zero, or
/// infinities of both signs meet; else infinity.
class special_terms {
 public:
  void add(number_class category, bool negative);
  void add(const unpacked_number& term) { add(term.category, term.negative); }

  /// Whether one was added; else the sum is one of numbers.
  bool any() const { return is_nan_ || has_positive_infinity_ || has_negative_infinity_; }
  /// The result, if there is any; the NaN is the canonical one.
  std::uint64_t sum(const number_format& accumulator) const;

 private:
  bool is_nan_ = false, has_positive_infinity_ = false, has_negative_infinity_ = false;
};

/// What the product of two values is. Underflow is not looked at: normal stands for every number that is not zero.
number_class product_category(number_class x, number_class y);

}  // namespace tc::numerics
