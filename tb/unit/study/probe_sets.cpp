// SPDX-License-Identifier: Apache-2.0
#include "probe_sets.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

#include <tc/study/probe_facet.hpp>
#include <tc/study/probe_generator.hpp>

namespace tc::study::test {

namespace {

using namespace numerics;

const std::vector<dot_product_types>& kinds() {
  constexpr auto sum = dot_product_operation::float_sum;
  static const std::vector<dot_product_types> all{{f16, f16, f32},
                                                  {f16, f16, f16},
                                                  {bf16, bf16, f32},
                                                  {tf32, tf32, f32},
                                                  {e4m3, e4m3, f32},
                                                  {e4m3, e5m2, f16},
                                                  {e5m2, e5m2, f32},
                                                  {e3m2, e2m3, f32},
                                                  {e2m3, e2m3, f32},
                                                  {e2m1, e2m1, f32},
                                                  {e2m1, e2m1, f16},
                                                  {f64, f64, f64},
                                                  {e4m3, e4m3, f32, sum, block_scaling{ue8m0, 32}},
                                                  {e2m1, e2m1, f32, sum, block_scaling{ue8m0, 32}},
                                                  {e2m1, e2m1, f32, sum, block_scaling{ue4m3, 16}}};
  return all;
}

}  // namespace

dot_product random_datapath(unsigned n) {
  std::mt19937_64 random(n);
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
  for (;;) {
    const dot_product_types& types = kinds()[below(static_cast<unsigned>(kinds().size()))];
    dot_product_parameters p;
    p.order = below(2) == 0 ? summation::fused : static_cast<summation>(below(4));
    p.group_length = 1 + below(64);
    p.products_per_term = below(4) == 0 ? 1 + below(16) : 1;
    p.alignment_fraction_bits = 3 + below(46);
    p.addend = static_cast<addend_position>(below(4) == 0);
    p.output_rounding.mode = static_cast<rounding_mode>(below(2));
    p.output_rounding.kept_fraction_bits = below(2) == 0 ? types.accumulator.fraction_bits : below(types.accumulator.fraction_bits + 1);
    p.flush_subnormals = below(3) == 0;
    p.align_to_zeros = (p.order == summation::fused || p.order == summation::paired_groups) && below(3) == 0;
    p.alignment_floor = below(4) == 0 ? maximum_alignment_floor : below(16);
    try {
      return dot_product(types, p);
    } catch (const std::invalid_argument&) {
      continue;  // no such datapath: draw again
    }
  }
}

unsigned telling_length(const dot_product& unit) {
  const unsigned groups = unit.parameters().order == summation::paired_groups ? 4 : 2;
  return std::clamp(groups * unit.parameters().group_length + 8, 32u, 256u);
}

std::string mistakes(const datapath_findings& findings, const dot_product& unit) {
  if (!findings.explained()) return "unexplained";
  const dot_product_parameters& truth = unit.parameters();
  std::string text;
  for (const facet& question : datapath_facets()) {
    const auto answer =
        std::find_if(findings.answers.begin(), findings.answers.end(), [&](const finding& f) { return f.key == question.key; });
    if (answer == findings.answers.end()) return question.key + " is not answered";
    if (!question.applies(truth)) continue;
    if (answer->sure == certainty::found && question.value(findings.parameters) != question.value(truth))
      text += fmt::format(" {} is {}, found {}.", question.key, question.answer(truth), answer->answer);
    if (answer->sure == certainty::found && answer->evidence.empty()) text += fmt::format(" {} has no evidence.", question.key);
    if (answer->sure == certainty::not_observable && answer->reason.empty()) text += fmt::format(" {} has no reason.", question.key);
  }
  const modelled_unit there(unit), found(dot_product(unit.types(), findings.parameters));
  dot_generator generator(unit.types(), 4711);
  for (unsigned i = 0; i < 500; ++i) {
    const dot_inputs dot = i % 4 == 0 ? generator.any_bits(findings.k) : generator.finite(findings.k, guess_from(truth));
    if (there(dot) == found(dot)) continue;
    text += fmt::format(" Random dot product {} differs:", i);
    for (const facet& question : datapath_facets())
      text += fmt::format(" {} {} for {};", question.key, question.value(findings.parameters), question.value(truth));
    return text;
  }
  return text;
}

}  // namespace tc::study::test
