// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <tc/study/probe_unit.hpp>

namespace tc::study {

/// Writes the inputs of an experiment from values: products at positions, block scales as they need them, an addend. What no product of the
/// formats can be makes the row unusable.
class row_writer {
 public:
  /// A row of zeros; every scale is 1.
  row_writer(const numerics::dot_product_types& types, unsigned length);

  /// Makes the product at `position` exactly `value`. The first product of a block chooses its scales.
  row_writer& product(unsigned position, double value);
  /// Makes the product at `position` zero times the largest power of two of B.
  row_writer& zero_times_large(unsigned position);
  /// Makes the addend exactly `value`.
  row_writer& addend(double value);

  /// The inputs; nothing if one of the values cannot be.
  std::optional<dot_inputs> inputs() const;

 private:
  bool choose_scales(unsigned block, double value);

  const numerics::dot_product_types& types_;
  dot_inputs inputs_;
  std::vector<double> scale_;  ///< product of both scales of a block; 0: not chosen yet
  bool usable_ = true;
};

/// Exponent n of the largest power of two that a product can be. Block scales are not counted.
int largest_product_exponent(const numerics::dot_product_types& types);
/// Exponent n of the smallest power of two that a product can be. Block scales are not counted.
int smallest_product_exponent(const numerics::dot_product_types& types);
/// Exponent of the largest power of two of a floating-point format.
int largest_exponent(const numerics::number_format& format);
/// Exponent of its smallest positive number.
int smallest_exponent(const numerics::number_format& format);

/// Value of the product at `position`, scales included; exact, except that it may round where scales are wide.
double product_value(const dot_inputs& inputs, const numerics::dot_product_types& types, unsigned position);

/// Whether a product may be smaller than every normal number of the accumulator: only then can a datapath's alignment_floor matter.
bool has_tiny_products(const dot_inputs& inputs, const numerics::dot_product_types& types);

/// A number as an experimenter writes it: "2^30", "1 + 2^-10", "-1.5 x 2^7", "inf".
std::string number_text(double value);
/// A result or an addend: number_text, or "NaN 0x7fffffff".
std::string pattern_text(std::uint64_t bits, const numerics::number_format& format);
/// The addend and the products that are not zero, as "C = 2^24, 1 at 0, 1 at 4"; long rows are cut.
std::string inputs_text(const dot_inputs& inputs, const numerics::dot_product_types& types);

}  // namespace tc::study
