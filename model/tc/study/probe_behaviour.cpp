// SPDX-License-Identifier: Apache-2.0
#include "probe_behaviour.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/study/probe_generator.hpp>
#include <tc/study/probe_row.hpp>

namespace tc::study {

namespace {

using numerics::number_class;
using numerics::number_format;
using numerics::special_values;

/// Asks one unit what no parameter describes.
class observer {
 public:
  observer(const unit_under_test& unit, const datapath_findings& findings)
      : unit_(unit), types_(unit.types()), parameters_(findings.parameters), k_(findings.k) {}

  finding subnormal_operands() const;
  finding term_truncation() const;
  finding product_normalisation() const;
  finding element_order() const;
  finding carries() const;
  finding specials() const;
  finding overflow() const;

 private:
  static finding unknown(std::string key, std::string question, std::string reason) {
    return {std::move(key), std::move(question), "-", certainty::not_observable, std::move(reason), ""};
  }
  /// Whether the first three products with scales of their own, and of terms of their own, are aligned together.
  bool aligns_three() const {
    return parameters_.order == numerics::summation::fused && !parameters_.multiply_as_f16 && parameters_.products_per_term == 1 &&
           parameters_.group_length > place(2);
  }
  row_writer row() const { return row_writer(types_, k_); }
  unsigned place(unsigned i) const { return types_.scaling ? i * types_.scaling->block_length : i; }
  std::string result_text(const dot_inputs& inputs) const { return pattern_text(unit_(inputs), types_.accumulator); }
  double result(const dot_inputs& inputs) const { return numerics::value_of(unit_(inputs), types_.accumulator); }
  dot_inputs product_of_patterns(std::uint64_t a, std::uint64_t b, std::uint64_t c) const;
  unsigned group_length() const { return parameters_.order == numerics::summation::fma_chain ? 1 : std::min(parameters_.group_length, k_); }
  int largest() const { return std::min(largest_product_exponent(types_), largest_exponent(types_.accumulator) - 2); }

  const unit_under_test& unit_;
  const numerics::dot_product_types& types_;
  numerics::dot_product_parameters parameters_;
  unsigned k_;
};

dot_inputs observer::product_of_patterns(std::uint64_t a, std::uint64_t b, std::uint64_t c) const {
  dot_inputs inputs = *row().inputs();
  inputs.a[0] = a;
  inputs.b[0] = b;
  inputs.c = c;
  return inputs;
}

finding observer::subnormal_operands() const {
  const std::string key = "subnormal_operands", question = "Subnormal A, B?";
  const double smallest = std::ldexp(1, smallest_exponent(types_.a)), large = std::ldexp(1, largest_exponent(types_.b));
  const dot_inputs inputs = product_of_patterns(numerics::encode(smallest, types_.a), numerics::encode(large, types_.b), 0);
  const std::uint64_t expected = numerics::encode(smallest * large, types_.accumulator);
  const std::string evidence = fmt::format("{} x {}: {}", number_text(smallest), number_text(large), result_text(inputs));
  const bool is_kept = unit_(inputs) == expected;
  return {key, question, is_kept ? "kept" : result(inputs) == 0 ? "flushed to zero" : "neither kept nor zero", certainty::found,
          "",  evidence};
}

/// What becomes of the bits of a term below the alignment: half a unit more than the last place kept, added and subtracted.
finding observer::term_truncation() const {
  const std::string key = "term_truncation", question = "Terms are cut how?";
  const double large = std::ldexp(1, largest()), last = std::ldexp(1, largest() - static_cast<int>(parameters_.alignment_fraction_bits));
  const auto with = [&](double small) {
    return row().product(place(0), large).product(place(1), -large).product(place(2), small).inputs();
  };
  const auto plus = with(1.5 * last), minus = with(-1.5 * last);
  if (!aligns_three() || !plus || !minus)
    return unknown(key, question, "no group holds a pair that cancels and a term cut by the alignment");
  const double up = result(*plus) / last, down = result(*minus) / last;
  const std::string pair = fmt::format("{0} - {0}", number_text(large)), small = number_text(1.5 * last);
  const std::string evidence = fmt::format("{} + {}: {}; {} - {}: {}", pair, small, result_text(*plus), pair, small, result_text(*minus));
  const char* answer = up == 1 && down == -1   ? "toward zero"
                       : up == 1 && down == -2 ? "down"
                       : up == 2 && down == -2 ? "to nearest"
                                               : "unlike any rounding";
  return {key, question, answer, certainty::found, "", evidence};
}

finding observer::product_normalisation() const {
  const std::string key = "product_normalisation", question = "Products normalised?";
  const double one = std::ldexp(1, largest() - 1),
               last = std::ldexp(1, largest() - 1 - static_cast<int>(parameters_.alignment_fraction_bits));
  const auto beside = [&](double large) {
    return row().product(place(0), large).product(place(1), -large).product(place(2), last).inputs();
  };
  const auto wide = beside(2.25 * one);
  if (!aligns_three() || !wide)
    return unknown(key, question, "no group holds a pair of products above 2 that cancels and a term at the edge of the alignment");
  return {key,
          question,
          result(*wide) == 0 ? "yes" : "no",
          certainty::found,
          "",
          fmt::format("2.25 x {0} - 2.25 x {0} + {1}: {2}", number_text(one), number_text(last), result_text(*wide))};
}

finding observer::element_order() const {
  const std::string key = "element_order", question = "Element order matters?";
  const unsigned group = group_length();
  if (group < 2) return unknown(key, question, "groups have one element");
  constexpr int dots = 200;
  dot_generator generator(types_, 3);
  const datapath_guess guess = guess_from(parameters_);
  for (int i = 0; i < dots; ++i) {
    dot_inputs dot = generator.finite(k_, guess);
    if (types_.scaling) {  // an element keeps its scales
      std::fill(dot.scale_a.begin(), dot.scale_a.end(), dot.scale_a[0]);
      std::fill(dot.scale_b.begin(), dot.scale_b.end(), dot.scale_b[0]);
    }
    dot_inputs rotated = dot;
    for (auto* const elements : {&rotated.a, &rotated.b}) {
      for (std::size_t first = 0; first < k_; first += group) {
        const auto from = elements->begin() + static_cast<std::ptrdiff_t>(first);
        std::rotate(from, from + 1, elements->begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(first + group, k_)));
      }
    }
    if (unit_(dot) == unit_(rotated)) continue;
    return {
        key,
        question,
        "yes",
        certainty::found,
        "",
        fmt::format("{}: {}; each group of {} rotated by one: {}", inputs_text(dot, types_), result_text(dot), group, result_text(rotated))};
  }
  return {
      key, question, "no", certainty::found, "", fmt::format("{} random dots, each group of {} rotated by one: same bits", dots, group)};
}

finding observer::carries() const {
  const std::string key = "carries", question = "Group sums overflow?";
  const unsigned group = group_length();
  if (group < 2) return unknown(key, question, "groups have one element");
  const double factor = types_.a.fraction_bits > 0 && types_.b.fraction_bits > 0 ? 2.25 : 1;
  row_writer writer = row();
  for (unsigned i = 0; i < group; ++i) writer.product(i, factor);
  const auto inputs = writer.inputs();
  if (!inputs || types_.scaling) return unknown(key, question, "block scales differ within a group");
  // Every partial sum is exact in the accumulator, or rounds as the description says.
  const double sum = factor * group, got = result(*inputs);
  const double unit = std::ldexp(1, std::ilogb(sum) - static_cast<int>(parameters_.output_rounding.kept_fraction_bits));
  const bool is_exact = std::fabs(got - sum) <= group * unit;
  return {key,
          question,
          is_exact ? fmt::format("no: {} carry bits or more", std::ilogb(sum)) : "yes",
          certainty::found,
          "",
          fmt::format("{} products of {}: {}", group, number_text(factor), number_text(got))};
}

finding observer::specials() const {
  const number_format &a = types_.a, &b = types_.b, &c = types_.accumulator;
  const std::uint64_t one_a = numerics::encode(1, a), one_b = numerics::encode(1, b), infinity = c.infinity();
  std::vector<std::string> seen;
  std::vector<std::uint64_t> nans;
  const auto note = [&](const std::string& text, std::uint64_t x, std::uint64_t y, std::uint64_t addend) {
    const dot_inputs inputs = product_of_patterns(x, y, addend);
    seen.push_back(text + ": " + result_text(inputs));
    const std::uint64_t bits = unit_(inputs);
    if (numerics::unpack(bits, c).category == number_class::nan) nans.push_back(bits);
  };
  if (a.specials == special_values::infinity_and_nan) {
    const std::uint64_t infinite = a.infinity() << a.ignored_bits;
    note("inf x 0", infinite, 0, 0);
    note("inf x 1 with C = -inf", infinite, one_b, infinity | c.sign_bit());
    note("inf x 1", infinite, one_b, 0);
  }
  if (a.specials != special_values::none) note("NaN x 1", a.canonical_nan() << a.ignored_bits, one_b, 0);
  note("C = -inf", one_a, one_b, infinity | c.sign_bit());
  note(fmt::format("C = {:#x}", infinity + 1), one_a, one_b, infinity + 1);
  std::sort(nans.begin(), nans.end());
  nans.erase(std::unique(nans.begin(), nans.end()), nans.end());
  std::vector<std::string> patterns(nans.size());
  std::transform(nans.begin(), nans.end(), patterns.begin(), [](std::uint64_t bits) { return fmt::format("{:#x}", bits); });
  return {"nan_pattern",    "Which NaN?", patterns.empty() ? "none" : fmt::format("{}", fmt::join(patterns, ", ")),
          certainty::found, "",           fmt::format("{}", fmt::join(seen, "; "))};
}

finding observer::overflow() const {
  const std::string key = "overflow", question = "Results too large?";
  const number_format& c = types_.accumulator;
  const std::uint64_t largest_number = c.infinity() - 1;
  const double last = std::ldexp(1, largest_exponent(c) - static_cast<int>(c.fraction_bits));
  for (const double product : {last, std::ldexp(1, largest_product_exponent(types_))}) {
    row_writer writer = row();
    if (product < last || !writer.product(0, product).inputs()) continue;
    dot_inputs inputs = *writer.inputs();
    inputs.c = largest_number;
    return {key,
            question,
            result_text(inputs),
            certainty::found,
            "",
            fmt::format("C = {} with {} at 0: {}", number_text(numerics::value_of(largest_number, c)), number_text(product),
                        result_text(inputs))};
  }
  return unknown(key, question, "no product is large enough");
}

}  // namespace

std::vector<finding> observe_behaviour(const unit_under_test& unit, const datapath_findings& findings) {
  const observer watch(unit, findings);
  return {watch.subnormal_operands(), watch.term_truncation(), watch.product_normalisation(), watch.element_order(), watch.carries(),
          watch.specials(),           watch.overflow()};
}

}  // namespace tc::study
