// SPDX-License-Identifier: Apache-2.0
#include "probe_space.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>
#include <utility>

#include <tc/study/probe_row.hpp>

namespace tc::study {

namespace {

using numerics::addend_position;
using numerics::dot_product;
using numerics::dot_product_parameters;
using numerics::rounding_mode;
using numerics::summation;

/// Descriptions that are asked on behalf of the others, and how many may be left before these are asked themselves.
constexpr std::size_t few = 16, many = 1000;

/// Whether the order of summation aligns terms to a common exponent at all.
bool aligns(summation order) { return order == summation::fused || order == summation::paired_groups; }

/// Whether groups exist in this order of summation.
bool has_groups(summation order) { return order != summation::fma_chain; }

/// How many floors of the alignment sums of these formats may show: 0 to one less than this. A deeper one is no product's exponent, cuts
/// no bit of a product, or matters to sums that round to zero alone.
unsigned floors_shown(const numerics::dot_product_types& types, const dot_product_parameters& p) {
  // An addend of zero has the smallest normal exponent, too.
  if (!aligns(p.order) || (p.align_to_zeros && p.order == summation::fused)) return 0;
  int smallest = smallest_product_exponent(types);
  if (types.scaling) smallest += 2 * smallest_exponent(types.scaling->format);
  constexpr int longest_carry = 10;  // 128 products below 4, and a half
  const int cutting = types.accumulator.minimum_exponent() - smallest - static_cast<int>(p.alignment_fraction_bits),
            seen = static_cast<int>(types.accumulator.fraction_bits) + longest_carry + 1;
  return static_cast<unsigned>(std::clamp(cutting, 0, seen));
}

template <typename Visitor>
void for_each_rounding(const numerics::number_format& accumulator, Visitor visit) {
  for (const auto mode : {rounding_mode::toward_zero, rounding_mode::to_nearest_even})
    for (unsigned kept = 0; kept <= accumulator.fraction_bits; ++kept) visit(numerics::rounding_rule{mode, kept});
}

/// Whether the constructor takes these parameters.
std::optional<dot_product> make_unit(const numerics::dot_product_types& types, const dot_product_parameters& parameters) {
  try {
    return dot_product(types, parameters);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

}  // namespace

version_space::version_space(const unit_under_test& unit, std::size_t variants) : unit_(unit), variants_(variants) {
  for (const auto order : {summation::fused, summation::paired_groups, summation::fma_chain, summation::adder_tree}) {
    for (const auto addend : {addend_position::in_first_group, addend_position::after_sum}) {
      for (const unsigned products_per_term : {1u, 2u}) {
        for (const bool multiply_as_f16 : {false, true}) {
          dot_product_parameters description;
          description.order = order;
          description.alignment_floor = numerics::maximum_alignment_floor;
          description.addend = addend;
          description.group_length = description.products_per_term = products_per_term;
          description.multiply_as_f16 = multiply_as_f16;
          add_widths(description);
        }
      }
    }
  }
  has_floors_ = std::none_of(descriptions_.begin(), descriptions_.end(),
                             [&](const dot_product& left) { return floors_shown(unit_.types(), left.parameters()) > 0; });
}

void version_space::add_widths(parameters description) {
  description.alignment_fraction_bits = 0;
  description.output_rounding = {rounding_mode::to_nearest_even, unit_.types().accumulator.fraction_bits};
  if (!make_unit(unit_.types(), description)) return;  // spares the many that differ in width alone
  const unsigned most_bits = aligns(description.order) ? numerics::maximum_alignment_bits : 0;
  for (unsigned bits = 0; bits <= most_bits; ++bits) {
    description.alignment_fraction_bits = bits;
    for_each_rounding(unit_.types().accumulator, [&](const numerics::rounding_rule& rule) {
      description.output_rounding = rule;
      add(description);
    });
  }
}

bool version_space::add(const parameters& description) {
  const auto unit = make_unit(unit_.types(), description);
  if (unit) descriptions_.push_back(*unit);
  return unit.has_value();
}

void version_space::add_rules() {
  const auto without = std::move(descriptions_);
  descriptions_.clear();
  for (const dot_product& plain : without) {
    for (const bool flush : {false, true}) {
      for (const bool align : {false, true}) {
        dot_product_parameters description = plain.parameters();
        if (align && !aligns(description.order)) continue;
        description.flush_subnormals = flush;
        description.align_to_zeros = align;
        add(description);
      }
    }
  }
}

void version_space::add_floors() {
  thin();
  has_floors_ = true;
  const auto without = std::move(descriptions_);
  descriptions_.clear();
  for (const dot_product& unit : without) {
    descriptions_.push_back(unit);
    dot_product_parameters description = unit.parameters();
    for (unsigned floor = floors_shown(unit_.types(), description); floor-- > 0;) {
      description.alignment_floor = floor;
      add(description);
    }
  }
}

/// Where nothing that was asked shows a width, thousands of descriptions are alike. A random choice of each order and addend goes on. Rows
/// of three elements, of which two cancel, are the first to show most widths: nothing is left out before.
void version_space::thin() {
  if (length_ < 3 || descriptions_.size() <= variants_) return;
  std::shuffle(descriptions_.begin(), descriptions_.end(), std::mt19937_64(length_));
  std::map<std::pair<summation, addend_position>, std::size_t> followed;
  const auto is_left_out = [&](const dot_product& description) {
    const dot_product_parameters& p = description.parameters();
    return ++followed[{p.order, p.addend}] > variants_;
  };
  const auto left_out = std::remove_if(descriptions_.begin(), descriptions_.end(), is_left_out);
  was_thinned_ = was_thinned_ || left_out != descriptions_.end();
  descriptions_.erase(left_out, descriptions_.end());
}

void version_space::lengthen(unsigned length) {
  thin();
  const auto shorter = std::move(descriptions_);
  descriptions_.clear();
  for (const dot_product& unit : shorter) {
    const bool ends = !has_groups(unit.parameters().order) || unit.parameters().group_length < length_;
    if (ends)
      descriptions_.push_back(unit);
    else
      add_longer(unit.parameters(), length);
  }
  length_ = length;
}

/// What a description that stood for all groups, and perhaps all terms, of `length_` elements or more becomes.
void version_space::add_longer(parameters description, unsigned length) {
  const unsigned per_term = description.products_per_term;
  if (per_term == 1 || per_term < length_) {
    add_groups(description, length_, length);
    return;
  }
  for (unsigned term = length_; term <= numerics::maximum_group_length; ++term) {
    description.products_per_term = term;
    if (add_groups(description, term, length) && term >= length) return;  // stands for all longer terms
  }
}

/// Groups of whole terms from `first` elements on: all those shorter than `length`, and one that stands for the others.
bool version_space::add_groups(parameters description, unsigned first, unsigned length) {
  const unsigned per_term = description.products_per_term;
  for (unsigned group = (first + per_term - 1) / per_term * per_term; group <= numerics::maximum_group_length; group += per_term) {
    description.group_length = group;
    if (add(description) && group >= length) return true;
  }
  return false;
}

bool version_space::question::contradicts(const dot_product& description) const { return packed.run(description) != answer; }

version_space::question version_space::asked(const dot_inputs& inputs) const {
  return {inputs, packed_inputs(inputs, unit_.types()), unit_(inputs)};
}

void version_space::ask(const dot_inputs& inputs) { strike(asked(inputs)); }

bool version_space::ask_all(const std::vector<dot_inputs>& experiments) {
  std::vector<question> questions;
  for (const dot_inputs& inputs : experiments)
    if (has_floors_ || !has_tiny_products(inputs, unit_.types())) questions.push_back(asked(inputs));
  for (bool goes_on = true; goes_on;) {
    const auto kept = std::remove_if(questions.begin(), questions.end(), [&](const question& q) {
      const bool is_telling = contradicts_some(q);
      if (is_telling) strike(q);
      return is_telling;
    });
    goes_on = kept != questions.end();
    questions.erase(kept, questions.end());
  }
  if (descriptions_.size() > many) return false;
  for (const question& q : questions) strike(q);
  return true;
}

bool version_space::contradicts_some(const question& asked) {
  if (descriptions_.size() <= few) return false;
  for (std::size_t i = 0; i < few; ++i)
    if (asked.contradicts(any_description())) return true;
  return false;
}

const dot_product& version_space::any_description() {
  constexpr std::size_t stride = 7919;  // a prime: every description has its turn
  next_ += stride;
  return descriptions_[next_ % descriptions_.size()];
}

void version_space::strike(const question& asked) {
  if (unexplained_ || descriptions_.empty()) return;
  std::vector<bool> contradicted;
  for (const dot_product& description : descriptions_) contradicted.push_back(asked.contradicts(description));
  if (std::find(contradicted.begin(), contradicted.end(), false) == contradicted.end()) {
    unexplained_ = contradiction{asked.inputs, asked.packed.run(descriptions_.front()), asked.answer};
    return;
  }
  std::size_t index = 0;
  descriptions_.erase(std::remove_if(descriptions_.begin(), descriptions_.end(), [&](const dot_product&) { return contradicted[index++]; }),
                      descriptions_.end());
}

}  // namespace tc::study
