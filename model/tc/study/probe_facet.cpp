// SPDX-License-Identifier: Apache-2.0
#include "probe_facet.hpp"

#include <fmt/format.h>

namespace tc::study {

namespace {

using numerics::addend_position;
using numerics::rounding_mode;
using numerics::summation;
using parameters = numerics::dot_product_parameters;

bool always(const parameters&) { return true; }
bool rules_align(const parameters& p) { return p.order == summation::fused || p.order == summation::paired_groups; }
bool is_fused(const parameters& p) { return p.order == summation::fused; }
bool rules_have_groups(const parameters& p) { return p.order != summation::fma_chain; }
std::vector<unsigned long> the_other(unsigned long value) { return {1 - value}; }
std::vector<unsigned long> neighbours(unsigned long value) { return {value - 1, value + 1}; }

std::string order_text(const parameters& p) {
  switch (p.order) {
    case summation::fused:
      return "fused sums, chained";
    case summation::paired_groups:
      return "fused sums in pairs: (C + (T0 + T1)) + (T2 + T3)";
    case summation::fma_chain:
      return "a chain of fused multiply-adds";
    case summation::adder_tree:
      return "a tree of floating-point adders";
  }
  return {};
}

facet order() {
  return {"summation",
          "Order of summation?",
          "rows are too short, or no sum is rounded",
          order_text,
          [](const parameters& p) { return static_cast<unsigned long>(p.order); },
          [](parameters& p, unsigned long value) { p.order = static_cast<summation>(value); },
          [](const parameters& p) {
            std::vector<unsigned long> others;
            for (unsigned long order = 0; order < 4; ++order)
              if (order != static_cast<unsigned long>(p.order)) others.push_back(order);
            return others;
          },
          always,
          true};
}

facet group_length() {
  return {"group_length",
          "Products a group?",
          "rows end before the group does, or sums across groups lose nothing",
          [](const parameters& p) { return fmt::format("{}", p.group_length); },
          [](const parameters& p) { return static_cast<unsigned long>(p.group_length); },
          [](parameters& p, unsigned long value) { p.group_length = static_cast<unsigned>(value); },
          [](const parameters& p) -> std::vector<unsigned long> {
            const unsigned long length = p.group_length, step = p.products_per_term;
            return {length - step, length + step, 2 * length, length / 2};
          },
          rules_have_groups};
}

facet products_per_term() {
  return {"products_per_term",
          "Products a term?",
          "the sums of a term lose nothing either way",
          [](const parameters& p) { return fmt::format("{}", p.products_per_term); },
          [](const parameters& p) { return static_cast<unsigned long>(p.products_per_term); },
          [](parameters& p, unsigned long value) { p.products_per_term = static_cast<unsigned>(value); },
          [](const parameters& p) -> std::vector<unsigned long> {
            return {p.products_per_term / 2ul, p.products_per_term * 2ul, 1, p.group_length};
          },
          is_fused};
}

facet conversion() {
  return {"multiply_as_f16",
          "Converted to f16?",
          "the sums of both rows lose nothing",
          [](const parameters& p) { return std::string(p.multiply_as_f16 ? "yes, in two rows" : "no"); },
          [](const parameters& p) { return static_cast<unsigned long>(p.multiply_as_f16); },
          [](parameters& p, unsigned long value) { p.multiply_as_f16 = value != 0; },
          [](const parameters& p) { return the_other(static_cast<unsigned long>(p.multiply_as_f16)); },
          is_fused};
}

facet alignment_bits() {
  return {"alignment_fraction_bits",
          "Bits after alignment?",
          "no term of these formats reaches further below the largest one",
          [](const parameters& p) { return fmt::format("{}", p.alignment_fraction_bits); },
          [](const parameters& p) { return static_cast<unsigned long>(p.alignment_fraction_bits); },
          [](parameters& p, unsigned long value) { p.alignment_fraction_bits = static_cast<unsigned>(value); },
          [](const parameters& p) { return neighbours(p.alignment_fraction_bits); },
          rules_align};
}

facet alignment_floor() {
  return {"alignment_floor",
          "Alignment floor?",
          "no sum of these formats is small enough",
          [](const parameters& p) {
            return p.alignment_floor == numerics::maximum_alignment_floor ? std::string("none")
                                                                          : fmt::format("{} below normal", p.alignment_floor);
          },
          [](const parameters& p) { return static_cast<unsigned long>(p.alignment_floor); },
          [](parameters& p, unsigned long value) { p.alignment_floor = static_cast<unsigned>(value); },
          [](const parameters& p) -> std::vector<unsigned long> {
            if (p.alignment_floor == numerics::maximum_alignment_floor) return {0, 4, 8, 16};
            return neighbours(p.alignment_floor);
          },
          rules_align};
}

facet addend() {
  return {"addend",
          "Where does C join?",
          "both places round alike here",
          [](const parameters& p) { return std::string(p.addend == addend_position::after_sum ? "after the sum" : "in the first group"); },
          [](const parameters& p) { return static_cast<unsigned long>(p.addend); },
          [](parameters& p, unsigned long value) { p.addend = static_cast<addend_position>(value); },
          [](const parameters& p) { return the_other(static_cast<unsigned long>(p.addend)); },
          always};
}

facet rounding() {
  return {"output_rounding",
          "Rounding of results?",
          "no sum has more bits than the result keeps",
          [](const parameters& p) {
            return std::string(p.output_rounding.mode == rounding_mode::toward_zero ? "toward zero" : "to nearest even");
          },
          [](const parameters& p) { return static_cast<unsigned long>(p.output_rounding.mode); },
          [](parameters& p, unsigned long value) { p.output_rounding.mode = static_cast<rounding_mode>(value); },
          [](const parameters& p) { return the_other(static_cast<unsigned long>(p.output_rounding.mode)); },
          always};
}

facet kept_bits() {
  return {"kept_fraction_bits",
          "Fraction bits kept?",
          "no sum has more bits",
          [](const parameters& p) { return fmt::format("{}", p.output_rounding.kept_fraction_bits); },
          [](const parameters& p) { return static_cast<unsigned long>(p.output_rounding.kept_fraction_bits); },
          [](parameters& p, unsigned long value) { p.output_rounding.kept_fraction_bits = static_cast<unsigned>(value); },
          [](const parameters& p) { return neighbours(p.output_rounding.kept_fraction_bits); },
          always};
}

facet flush() {
  return {"flush_subnormals",
          "Subnormal C, results?",
          "no subnormal of the accumulator survives the sum",
          [](const parameters& p) { return std::string(p.flush_subnormals ? "flushed to zero" : "kept"); },
          [](const parameters& p) { return static_cast<unsigned long>(p.flush_subnormals); },
          [](parameters& p, unsigned long value) { p.flush_subnormals = value != 0; },
          [](const parameters& p) { return the_other(static_cast<unsigned long>(p.flush_subnormals)); },
          always};
}

facet zeros() {
  return {"align_to_zeros",
          "Zeros in alignment?",
          "no number is small enough to be cut by the exponent of a zero",
          [](const parameters& p) { return std::string(p.align_to_zeros ? "yes" : "no"); },
          [](const parameters& p) { return static_cast<unsigned long>(p.align_to_zeros); },
          [](parameters& p, unsigned long value) { p.align_to_zeros = value != 0; },
          [](const parameters& p) { return the_other(static_cast<unsigned long>(p.align_to_zeros)); },
          rules_align};
}

}  // namespace

const std::vector<facet>& datapath_facets() {
  static const std::vector<facet> facets{order(),  group_length(), products_per_term(), conversion(), alignment_bits(), alignment_floor(),
                                         addend(), rounding(),     kept_bits(),         flush(),      zeros()};
  return facets;
}

}  // namespace tc::study
