// SPDX-License-Identifier: Apache-2.0
#include "alignment.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tc::study {
namespace {

using numerics::dot_product;
using numerics::dot_product_parameters;
using numerics::dot_product_types;
using numerics::number_format;
using numerics::summation;
using numerics::unpacked_number;
using row = std::vector<std::uint32_t>;

row slice(const row& packed, unsigned first, unsigned count, const number_format& format) {
  row result(numerics::words_for(count, format));
  for (unsigned i = 0; i < count; ++i)
    numerics::set_packed_element(result.data(), i, format, numerics::packed_element(packed.data(), first + i, format));
  return result;
}

/// Takes the groups of one dot product apart.
class group_explainer {
 public:
  group_explainer(const dot_product& unit, const dot_operands& operands)
      : types_(unit.types()), parameters_(unit.parameters()), operands_(operands), has_addend_(parameters_.order == summation::fused) {
    if (!has_addend_) parameters_.output_rounding = {numerics::rounding_mode::toward_zero, types_.accumulator.fraction_bits};
  }

  aligned_group explain(unsigned first, unsigned count, std::uint64_t c) const {
    aligned_group group;
    group.first = first;
    group.count = count;
    group.addend = c;
    group.rounding = parameters_.output_rounding;
    group.result = result_of(first, count, c);
    group.is_special = has_special(first, count, c);
    if (group.is_special) return group;
    if (has_addend_) group.terms.push_back(addend_term(c));
    for (unsigned i = 0; i < count; i += parameters_.products_per_term)
      group.terms.push_back(product_term(first + i, std::min(parameters_.products_per_term, count - i)));
    align(group);
    return group;
  }

 private:
  /// What the datapath makes of one group alone, which begins at the first element of rows of its own.
  std::uint64_t result_of(unsigned first, unsigned count, std::uint64_t c) const {
    dot_product_types types = types_;
    dot_product_parameters parameters = parameters_;
    parameters.addend = numerics::addend_position::in_first_group;
    row scale_a, scale_b;
    if (types.scaling) {  // a group may begin within a block: a scale for every term
      const unsigned term = parameters.products_per_term;
      for (const auto& [source, target] : {std::pair{&operands_.scale_a, &scale_a}, std::pair{&operands_.scale_b, &scale_b}}) {
        target->resize(numerics::words_for((count + term - 1) / term, types.scaling->format));
        for (unsigned i = 0; i < count; i += term)
          numerics::set_packed_element(target->data(), i / term, types.scaling->format, scale_bits(*source, first + i));
      }
      types.scaling->block_length = term;
    }
    const row a = slice(operands_.a, first, count, types.a), b = slice(operands_.b, first, count, types.b);
    return dot_product(types, parameters)(a.data(), b.data(), scale_a.data(), scale_b.data(), count, c);
  }

  std::uint64_t scale_bits(const row& scales, unsigned element) const {
    return numerics::packed_element(scales.data(), element / types_.scaling->block_length, types_.scaling->format);
  }
  unpacked_number a(unsigned i) const { return numerics::unpack(numerics::packed_element(operands_.a.data(), i, types_.a), types_.a); }
  unpacked_number b(unsigned i) const { return numerics::unpack(numerics::packed_element(operands_.b.data(), i, types_.b), types_.b); }

  bool has_special(unsigned first, unsigned count, std::uint64_t c) const {
    bool special = !numerics::is_finite(numerics::unpack(c, types_.accumulator).category);
    for (unsigned i = first; i < first + count; ++i) {
      special = special || !numerics::is_finite(a(i).category) || !numerics::is_finite(b(i).category);
      if (!types_.scaling) continue;
      for (const row* scales : {&operands_.scale_a, &operands_.scale_b})
        special = special || !numerics::is_finite(numerics::unpack(scale_bits(*scales, i), types_.scaling->format).category);
    }
    return special;
  }

  aligned_term addend_term(std::uint64_t c) const {
    const unpacked_number addend = numerics::unpack(c, types_.accumulator);
    aligned_term term;
    term.is_addend = true;
    term.negative = addend.negative;
    term.exponent = addend.exponent;
    const bool flushed = parameters_.flush_subnormals && addend.category == numerics::number_class::subnormal;
    term.significand = flushed ? 0 : addend.significand;
    term.fraction_bits = types_.accumulator.fraction_bits;
    return term;
  }

  aligned_term product_term(unsigned first, unsigned count) const {
    aligned_term term;
    term.first = first;
    term.count = count;
    term.fraction_bits = types_.a.fraction_bits + types_.b.fraction_bits;
    if (parameters_.products_per_term > 1) {
      add_fixed_point_products(term);
    } else {
      const unpacked_number x = a(first), y = b(first);
      term.negative = x.negative != y.negative;
      term.significand = x.significand * y.significand;
      term.exponent = x.exponent + y.exponent;
    }
    if (types_.scaling) scale(term);
    return term;
  }

  /// Products of one term are added exactly, in units of the smallest product that the formats have.
  void add_fixed_point_products(aligned_term& term) const {
    const int smallest = types_.a.minimum_exponent() + types_.b.minimum_exponent();
    std::int64_t sum = 0;
    for (unsigned i = term.first; i < term.first + term.count; ++i) {
      const unpacked_number x = a(i), y = b(i);
      const auto product = static_cast<std::int64_t>(x.significand * y.significand) << (x.exponent + y.exponent - smallest);
      sum += x.negative != y.negative ? -product : product;
    }
    term.negative = sum < 0;
    term.significand = static_cast<std::uint64_t>(std::abs(sum));
    term.exponent = 0;
    term.fraction_bits -= static_cast<unsigned>(smallest);
  }

  void scale(aligned_term& term) const {
    for (const row* scales : {&operands_.scale_a, &operands_.scale_b}) {
      const unpacked_number factor = numerics::unpack(scale_bits(*scales, term.first), types_.scaling->format);
      term.significand *= factor.significand;
      term.exponent += factor.exponent;
      term.fraction_bits += types_.scaling->format.fraction_bits;
    }
  }

  void align(aligned_group& group) const {
    group.largest_exponent = group.smallest_alignment =
        types_.accumulator.minimum_exponent() - static_cast<int>(parameters_.alignment_floor);
    for (aligned_term& term : group.terms) {
      term.counts = term.significand != 0 || parameters_.align_to_zeros;
      if (term.counts) group.largest_exponent = std::max(group.largest_exponent, term.exponent);
    }
    group.last_bit = group.largest_exponent - static_cast<int>(parameters_.alignment_fraction_bits);
    for (aligned_term& term : group.terms) {
      const int right = group.last_bit - (term.exponent - static_cast<int>(term.fraction_bits));
      if (right <= 0) {
        term.kept = term.significand == 0 ? 0 : term.significand << -right;
      } else {
        term.kept = term.significand >> std::min(right, 63);
        term.lost = term.significand - (term.kept << std::min(right, 63));
      }
      group.sum += term.negative ? -static_cast<std::int64_t>(term.kept) : static_cast<std::int64_t>(term.kept);
    }
  }

  dot_product_types types_;
  dot_product_parameters parameters_;
  const dot_operands& operands_;
  bool has_addend_;  ///< paired groups have none, and are truncated into the accumulator format
};

/// The groups of rows of `count` elements. In a chain, each takes the result of the one before as its addend.
std::vector<aligned_group> explain_groups(const dot_product& unit, const dot_operands& operands, unsigned count, std::uint64_t c) {
  const group_explainer explainer(unit, operands);
  const unsigned length = unit.parameters().group_length;
  std::vector<aligned_group> groups;
  for (unsigned first = 0; first < count; first += length) {
    groups.push_back(explainer.explain(first, std::min(length, count - first), c));
    if (unit.parameters().order == summation::fused) c = groups.back().result;
  }
  return groups;
}

/// Elements `order` of a packed row, in f16.
row converted(const row& packed, const std::vector<unsigned>& order, const number_format& format) {
  row result(numerics::words_for(static_cast<unsigned>(order.size()), numerics::f16));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double value = numerics::value_of(numerics::packed_element(packed.data(), order[i], format), format);
    numerics::set_packed_element(result.data(), i, numerics::f16, numerics::encode(value, numerics::f16));
  }
  return result;
}

/// The groups of factors that are multiplied as f16: first those in the low halves of the registers, then the others (see
/// numerics::converting_dot_product).
std::vector<aligned_group> explain_converted_groups(const dot_product& unit, const dot_operands& operands, unsigned k, std::uint64_t c) {
  const dot_product_types& types = unit.types();
  dot_product_parameters parameters = unit.parameters();
  parameters.multiply_as_f16 = false;
  const dot_product f16_unit({numerics::f16, numerics::f16, types.accumulator, types.operation, {}}, parameters);
  std::vector<aligned_group> groups;
  for (const unsigned half : {0U, 1U}) {
    std::vector<unsigned> order;
    for (unsigned i = 0; i < k; ++i)
      if (i / 2 % 2 == half) order.push_back(i);
    const dot_operands halves{converted(operands.a, order, types.a), converted(operands.b, order, types.b), {}, {}, c};
    for (aligned_group& group : explain_groups(f16_unit, halves, static_cast<unsigned>(order.size()), c)) {
      c = group.result;
      group.first = order[group.first];
      group.skips_pairs = true;
      for (aligned_term& term : group.terms) term.first = order[term.first];
      groups.push_back(std::move(group));
    }
  }
  return groups;
}

}  // namespace

alignment explain(const dot_product& unit, const dot_operands& operands, unsigned k) {
  const auto& parameters = unit.parameters();
  alignment explained;
  explained.result = unit(operands.a.data(), operands.b.data(), operands.scale_a.data(), operands.scale_b.data(), k, operands.c);
  const bool is_chain = parameters.order == summation::fused, is_paired = parameters.order == summation::paired_groups;
  if (unit.types().operation != numerics::dot_product_operation::float_sum || (!is_chain && !is_paired)) return explained;

  const bool takes_addend = is_chain && parameters.addend == numerics::addend_position::in_first_group;
  const std::uint64_t c = takes_addend ? operands.c : 0;
  explained.groups = parameters.multiply_as_f16 ? explain_converted_groups(unit, operands, k, c) : explain_groups(unit, operands, k, c);
  return explained;
}

}  // namespace tc::study
