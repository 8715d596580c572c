// SPDX-License-Identifier: Apache-2.0
#include "exact_dot_product.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "exact_format.hpp"

namespace tc::numerics::test {

namespace {

using kind = exact_operand::kind;

/// A product, or several added exactly, as it enters a sum.
struct exact_term {
  kind category = kind::finite;
  bool negative = false;  ///< also of zero and infinity
  int exponent = 0;       ///< by which it is aligned
  dyadic_number value{};

  bool is_zero() const { return category == kind::finite && value.is_zero(); }
};

exact_term term_of(const exact_operand& operand) { return {operand.category, operand.negative, operand.exponent, operand.value()}; }

exact_term product(const exact_operand& x, const exact_operand& y) {
  exact_term term{kind::finite, x.negative != y.negative, x.exponent + y.exponent, {}};
  if (x.is_nan() || y.is_nan() || (x.is_infinite() && y.is_zero()) || (x.is_zero() && y.is_infinite())) {
    term.category = kind::nan;
  } else if (x.is_infinite() || y.is_infinite()) {
    term.category = kind::infinity;
  } else {
    term.value = x.value() * y.value();
  }
  return term;
}

/// The result that infinities and NaNs among the terms decide, if there are any.
std::optional<std::uint64_t> special_sum(const std::vector<exact_term>& terms, const exact_format& format) {
  bool infinities[2] = {false, false};
  for (const auto& term : terms) {
    if (term.category == kind::nan) return format.canonical_nan();
    if (term.category == kind::infinity) infinities[term.negative ? 1 : 0] = true;
  }
  if (infinities[0] && infinities[1]) return format.canonical_nan();
  if (infinities[0] || infinities[1]) return format.infinity(infinities[1]);
  return std::nullopt;
}

/// The sum of one row and one column.
class float_sum {
 public:
  float_sum(const dot_product_types& types, const dot_product_parameters& parameters, const dot_operands& operands)
      : types_(types), parameters_(parameters), format_(find_exact_format(types.accumulator.name)) {
    decode(operands.a, types.a, a_);
    decode(operands.b, types.b, b_);
    if (types.scaling) decode(operands.scale_a, types.scaling->format, scale_a_);
    if (types.scaling) decode(operands.scale_b, types.scaling->format, scale_b_);
    if (parameters.multiply_as_f16) {
      const auto is_in_first_row = [](std::size_t i) { return i % 4 < 2; };
      for (auto* const row : {&a_, &b_}) convert_to_f16(*row, is_in_first_row);
      for (std::size_t i = 0; i < a_.size(); ++i) first_row_ += is_in_first_row(i) ? 1U : 0U;
    }
  }

  std::uint64_t plus(std::uint64_t c) const {
    if (parameters_.addend == addend_position::after_sum) return add(sum(0), c, {true, 64, exact_rounding::overflow::ieee});
    return sum(c);
  }

 private:
  static void decode(const std::vector<std::uint64_t>& patterns, const number_format& format, std::vector<exact_operand>& operands) {
    const exact_format& described = find_exact_format(format.name);
    for (const std::uint64_t pattern : patterns) operands.push_back(decoded(pattern, described));
  }

  /// The conversion keeps every value; f16 has a smaller exponent for the subnormals of e4m3. Elements of the first row come first.
  template <typename Predicate>
  static void convert_to_f16(std::vector<exact_operand>& row, Predicate is_in_first_row) {
    constexpr int smallest_f16_exponent = -14;
    std::vector<exact_operand> first, second;
    for (std::size_t i = 0; i < row.size(); ++i) {
      exact_operand& x = row[i];
      x.exponent = smallest_f16_exponent;
      if (x.category == kind::finite && !x.is_zero()) x.exponent = std::max(x.value().binary_logarithm(), smallest_f16_exponent);
      (is_in_first_row(i) ? first : second).push_back(x);
    }
    first.insert(first.end(), second.begin(), second.end());
    row = first;
  }

  exact_rounding output_rounding(exact_rounding::overflow overflow) const {
    return {parameters_.output_rounding.mode == rounding_mode::to_nearest_even, parameters_.output_rounding.kept_fraction_bits, overflow};
  }
  exact_rounding ieee_rounding() const { return output_rounding(exact_rounding::overflow::ieee); }

  std::uint64_t sum(std::uint64_t c) const {
    switch (parameters_.order) {
      case summation::fused:
        return chain_of_groups(first_row_, k(), chain_of_groups(0, first_row_, c));
      case summation::paired_groups:
        return chain_of_pairs(c);
      case summation::fma_chain:
        return fused_multiply_adds(c);
      case summation::adder_tree:
        return chain_of_trees(c);
    }
    return c;
  }

  std::size_t k() const { return a_.size(); }
  std::size_t end_of_group(std::size_t first) const { return std::min<std::size_t>(first + parameters_.group_length, k()); }

  std::uint64_t chain_of_groups(std::size_t first, std::size_t last, std::uint64_t c) const {
    for (std::size_t end = first; first < last; first = end) {
      end = std::min(end_of_group(first), last);
      std::vector<exact_term> terms = group_terms(first, end);
      terms.push_back(accumulator_term(c));
      c = fused(terms, output_rounding(exact_rounding::overflow::infinity));
    }
    return c;
  }

  std::uint64_t chain_of_pairs(std::uint64_t c) const {
    const exact_rounding truncation{false};
    for (std::size_t first = 0; first < k();) {
      std::uint64_t pair = fused(group_terms(first, end_of_group(first)), truncation);
      first = end_of_group(first);
      if (first < k()) {
        pair = add(pair, fused(group_terms(first, end_of_group(first)), truncation), ieee_rounding());
        first = end_of_group(first);
      }
      c = add(c, pair, ieee_rounding());
    }
    return c;
  }

  std::uint64_t fused_multiply_adds(std::uint64_t c) const {
    for (std::size_t i = 0; i < k(); ++i) c = ieee_sum(product(a_[i], b_[i]), accumulator_term(c), ieee_rounding());
    return c;
  }

  std::uint64_t chain_of_trees(std::uint64_t c) const {
    for (std::size_t first = 0; first < k(); first = end_of_group(first)) c = add(c, tree(first, end_of_group(first)), ieee_rounding());
    return c;
  }

  std::uint64_t tree(std::size_t first, std::size_t last) const {
    std::vector<std::uint64_t> level;
    for (std::size_t i = first; i < last; ++i) level.push_back(ieee_rounded(product(a_[i], b_[i]), ieee_rounding()));
    while (level.size() > 1) {
      std::vector<std::uint64_t> next;
      for (std::size_t i = 0; i + 1 < level.size(); i += 2) next.push_back(add(level[i], level[i + 1], ieee_rounding()));
      if (level.size() % 2 == 1) next.push_back(level.back());
      level = next;
    }
    return level.front();
  }

  /// The terms that products [first, last) make.
  std::vector<exact_term> group_terms(std::size_t first, std::size_t last) const {
    std::vector<exact_term> terms;
    for (std::size_t i = first; i < last; i += parameters_.products_per_term) {
      const std::size_t end = std::min<std::size_t>(i + parameters_.products_per_term, last);
      terms.push_back(end - i == 1 && parameters_.products_per_term == 1 ? product(a_[i], b_[i]) : sum_of_products(i, end));
      if (types_.scaling) scale(terms.back(), i / types_.scaling->block_length);
    }
    return terms;
  }

  /// Products added before the alignment: their own exponents play no part in it.
  exact_term sum_of_products(std::size_t first, std::size_t last) const {
    exact_term sum;
    for (std::size_t i = first; i < last; ++i) {
      const exact_term next = product(a_[i], b_[i]);
      const bool is_undefined = sum.category == kind::infinity && next.category == kind::infinity && sum.negative != next.negative;
      sum.value = sum.value + next.value;
      if (next.category == kind::infinity) sum.negative = next.negative;
      sum.category = is_undefined ? kind::nan : std::max(sum.category, next.category);
    }
    return sum;
  }

  void scale(exact_term& term, std::size_t block) const {
    const exact_operand &x = scale_a_[block], &y = scale_b_[block];
    if (x.is_nan() || y.is_nan() || (term.category == kind::infinity && (x.is_zero() || y.is_zero()))) term.category = kind::nan;
    if (term.category != kind::finite) return;
    term.exponent += x.exponent + y.exponent;
    term.value = term.value * x.value() * y.value();
  }

  bool is_below_normal(std::uint64_t pattern) const { return (pattern & ~format_.pattern(true, 0, 0)) <= format_.largest_mantissa(); }
  bool is_zero(std::uint64_t pattern) const { return (pattern & ~format_.pattern(true, 0, 0)) == 0; }

  exact_term accumulator_term(std::uint64_t pattern) const {
    const bool is_flushed = parameters_.flush_subnormals && is_below_normal(pattern) && !is_zero(pattern);
    return term_of(decoded(is_flushed ? 0 : pattern, format_));
  }
  /// A number that is not zero as a result. Flushed, it is +0 also when it would round to -0.
  std::uint64_t result(const dyadic_number& x, exact_rounding rule) const {
    const std::uint64_t pattern = rounded(x, format_, rule);
    return parameters_.flush_subnormals && is_below_normal(pattern) ? 0 : pattern;
  }

  /// The terms, aligned to the largest exponent and truncated; their sum, rounded once. Zero is always +0.
  std::uint64_t fused(const std::vector<exact_term>& terms, exact_rounding rule) const {
    if (const auto special = special_sum(terms, format_)) return *special;
    // Terms that all are tiny, or no term at all, are aligned to a place below the smallest normal result, whose exponent field is 1.
    int largest_exponent = 1 - format_.bias - static_cast<int>(parameters_.alignment_floor);
    for (const auto& term : terms)
      if (!term.is_zero() || parameters_.align_to_zeros) largest_exponent = std::max(largest_exponent, term.exponent);
    dyadic_number total;
    for (const auto& term : terms)
      if (!term.is_zero())
        total = total + truncated_to_multiple(term.value, largest_exponent - static_cast<int>(parameters_.alignment_fraction_bits));
    const std::uint64_t pattern = result(total, rule);
    return is_zero(pattern) ? 0 : pattern;
  }

  std::uint64_t add(std::uint64_t x, std::uint64_t y, exact_rounding rule) const {
    return ieee_sum(accumulator_term(x), accumulator_term(y), rule);
  }

  /// x + y, rounded once, zeros with the sign that IEEE 754 gives them.
  std::uint64_t ieee_sum(const exact_term& x, const exact_term& y, exact_rounding rule) const {
    if (const auto special = special_sum({x, y}, format_)) return *special;
    const dyadic_number total = x.value + y.value;
    if (total.is_zero()) return format_.pattern(x.negative && y.negative, 0, 0);
    return result(total, rule);
  }

  std::uint64_t ieee_rounded(const exact_term& x, exact_rounding rule) const {
    if (const auto special = special_sum({x}, format_)) return *special;
    return x.is_zero() ? format_.pattern(x.negative, 0, 0) : result(x.value, rule);
  }

  const dot_product_types& types_;
  const dot_product_parameters& parameters_;
  const exact_format& format_;
  std::vector<exact_operand> a_, b_, scale_a_, scale_b_;
  std::size_t first_row_ = 0;  ///< elements that are summed before all others
};

/// An integer element. Names are those of the PTX ISA: s or u, then the width.
std::int64_t integer(std::uint64_t pattern, std::string_view name) {
  const int bits = std::stoi(std::string(name.substr(1)));
  const auto value = static_cast<std::int64_t>(pattern % (std::uint64_t{1} << bits));
  const bool is_negative = name[0] == 's' && value >= std::int64_t{1} << (bits - 1);
  return is_negative ? value - (std::int64_t{1} << bits) : value;
}

std::uint64_t integer_sum(const dot_product_types& types, const dot_operands& operands) {
  std::int64_t sum = integer(operands.c, "s32");
  for (std::size_t i = 0; i < operands.a.size(); ++i) sum += integer(operands.a[i], types.a.name) * integer(operands.b[i], types.b.name);
  if (types.operation == dot_product_operation::integer_saturate) {
    sum = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
  }
  return static_cast<std::uint32_t>(sum);
}

std::uint64_t binary_sum(const dot_product_types& types, const dot_operands& operands) {
  std::int64_t sum = integer(operands.c, "s32");
  for (std::size_t i = 0; i < operands.a.size(); ++i) {
    const bool a = operands.a[i] != 0, b = operands.b[i] != 0;
    sum += (types.operation == dot_product_operation::binary_xor ? a != b : a && b) ? 1 : 0;
  }
  return static_cast<std::uint32_t>(sum);
}

}  // namespace

std::uint64_t exact_dot_product(const dot_product_types& types, const dot_product_parameters& parameters, const dot_operands& operands) {
  switch (types.operation) {
    case dot_product_operation::float_sum:
      return float_sum(types, parameters, operands).plus(operands.c);
    case dot_product_operation::integer_wrap:
    case dot_product_operation::integer_saturate:
      return integer_sum(types, operands);
    case dot_product_operation::binary_xor:
    case dot_product_operation::binary_and:
      return binary_sum(types, operands);
  }
  return 0;
}

}  // namespace tc::numerics::test
