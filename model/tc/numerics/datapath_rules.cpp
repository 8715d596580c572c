// SPDX-License-Identifier: Apache-2.0
#include "datapath_rules.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace tc::numerics {

void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument("dot product: " + message);
}

void check_float_types(const dot_product_types& types) {
  for (const number_format& format : {types.a, types.b, types.accumulator})
    require(format.is_floating_point(), fmt::format("'{}' is not a floating-point format", format.name));
  for (const number_format& format : {types.a, types.b})
    require(format.has_sign && format.has_zero, fmt::format("'{}' is a format of scales, not of factors", format.name));

  const number_format& accumulator = types.accumulator;
  require(accumulator.specials == special_values::infinity_and_nan,
          fmt::format("the accumulator format must have infinities, '{}' has none", accumulator.name));
  require(accumulator.ignored_bits == 0, fmt::format("'{}' is an operand format, not an accumulator format", accumulator.name));
  if (!types.scaling) return;

  const block_scaling& scaling = *types.scaling;
  require(scaling.format.is_floating_point() && scaling.format.storage_bits == 8 && !scaling.format.has_sign,
          fmt::format("scales are ue8m0 or ue4m3, not '{}'", scaling.format.name));
  require(scaling.block_length > 0, "a block of scaled elements has at least one element");
}

void check_parameters(const dot_product_parameters& p) {
  require(p.group_length >= 1 && p.group_length <= maximum_group_length,
          fmt::format("the group length is {}, allowed are 1 to {}", p.group_length, maximum_group_length));
  require(p.alignment_fraction_bits <= maximum_alignment_bits,
          fmt::format("{} alignment fraction bits, allowed are 0 to {}", p.alignment_fraction_bits, maximum_alignment_bits));
  require(p.alignment_floor <= maximum_alignment_floor,
          fmt::format("the alignment floor is {} below the smallest normal exponent, allowed are 0 to {}", p.alignment_floor,
                      maximum_alignment_floor));
  require(p.products_per_term >= 1 && p.group_length % p.products_per_term == 0,
          fmt::format("{} products a term do not divide the group length {}", p.products_per_term, p.group_length));
  require(p.products_per_term == 1 || p.order == summation::fused, "only fused sums have several products a term");
  require(!p.multiply_as_f16 || (p.order == summation::fused && p.products_per_term == 1),
          "factors converted to f16 are summed by a fused datapath with one product a term");
  const bool aligns = p.order == summation::fused || p.order == summation::paired_groups;
  require(aligns || !p.align_to_zeros,
          "align_to_zeros is a rule of fused sums; chains and trees of IEEE operations align nothing to zeros");
}

void check_product_width(const dot_product_types& types, unsigned significant_bits) {
  const unsigned needed = types.a.significand_bits() + types.b.significand_bits();
  require(needed <= significant_bits, fmt::format("a product of {} and {} has {} significant bits, the multipliers give {}", types.a.name,
                                                  types.b.name, needed, significant_bits));
}

void check_unscaled(const dot_product_types& types, const dot_product_parameters& parameters) {
  require(!types.scaling && parameters.products_per_term == 1, "only fused sums take block scales");
}

}  // namespace tc::numerics
