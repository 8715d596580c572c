// SPDX-License-Identifier: Apache-2.0
#include "probe_evidence.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <tc/study/probe_row.hpp>

namespace tc::study {

dot_inputs shortened(dot_inputs inputs, const numerics::dot_product_types& types, const unit_under_test& one,
                     const unit_under_test& other) {
  const auto disagree = [&](const dot_inputs& dot) { return one(dot) != other(dot); };
  for (bool was_shortened = true; was_shortened;) {
    was_shortened = false;
    for (std::size_t i = 0; i < inputs.a.size(); ++i) {
      if (inputs.a[i] == 0 && inputs.b[i] == 0) continue;
      dot_inputs without = inputs;
      without.a[i] = without.b[i] = 0;
      if (!disagree(without)) continue;
      inputs = std::move(without);
      was_shortened = true;
    }
    dot_inputs without = inputs;
    without.c = 0;
    if (inputs.c != 0 && disagree(without)) inputs = std::move(without);
  }
  const std::uint64_t unit_scale = types.scaling ? numerics::encode(1, types.scaling->format) : 0;
  for (auto* const scales : {&inputs.scale_a, &inputs.scale_b}) {
    for (auto& scale : *scales) {
      const std::uint64_t before = std::exchange(scale, unit_scale);
      if (!disagree(inputs)) scale = before;
    }
  }
  return inputs;
}

evidence_search::evidence_search(const unit_under_test& unit, const numerics::dot_product& found, unsigned length)
    : unit_(unit),
      found_(found),
      parameters_(found.parameters()),
      length_(length),
      guess_(guess_from(parameters_)),
      scans_(classic_scans(found.types(), length, guess_)) {}

std::vector<modelled_unit> evidence_search::alternatives(const facet& question) const {
  std::vector<modelled_unit> units;
  for (const unsigned long value : question.others(parameters_)) {
    if (value == question.value(parameters_)) continue;
    numerics::dot_product_parameters other = parameters_;
    question.set(other, value);
    if (other.output_rounding.kept_fraction_bits > found_.types().accumulator.fraction_bits) continue;  // there are no more
    if (question.key == "summation") {
      other.align_to_zeros = other.multiply_as_f16 = false;
      other.products_per_term = 1;
      // A tree has no alignment; the fused sum that is most like it is a wide one.
      if (parameters_.order == numerics::summation::adder_tree) other.alignment_fraction_bits = numerics::maximum_alignment_bits;
    }
    try {
      units.emplace_back(numerics::dot_product(found_.types(), other));
    } catch (const std::invalid_argument&) {
      continue;  // no such datapath: nothing to exclude
    }
  }
  return units;
}

bool evidence_search::separates(const scan& experiment, const modelled_unit& alternative) const {
  return std::any_of(experiment.points.begin(), experiment.points.end(),
                     [&](const scan::point& point) { return found_(point.with) != alternative(point.with); });
}

std::string evidence_search::separating_dot(const modelled_unit& alternative) {
  constexpr int tries = 1000;
  dot_generator generator(found_.types(), 1);
  for (int i = 0; i < tries; ++i) {
    const dot_inputs dot = generator.finite(length_, guess_);
    if (found_(dot) == alternative(dot)) continue;
    const dot_inputs small = shortened(dot, found_.types(), found_, alternative);
    const auto& format = found_.types().accumulator;
    return fmt::format("{}: {}, not {}", inputs_text(small, found_.types()), pattern_text(unit_(small), format),
                       pattern_text(alternative(small), format));
  }
  return {};
}

std::string evidence_search::of(const facet& question) {
  auto left = alternatives(question);
  if (left.empty()) return "these formats allow nothing else";
  const scan* best = nullptr;
  std::ptrdiff_t best_score = 0;
  for (const scan& experiment : scans_) {
    const auto excluded =
        std::count_if(left.begin(), left.end(), [&](const modelled_unit& alternative) { return separates(experiment, alternative); });
    const std::ptrdiff_t score = excluded == 0 ? 0 : 2 * excluded + (experiment.about == question.key ? 1 : 0);
    if (score > best_score) best_score = score, best = &experiment;
  }
  std::string text;
  if (best != nullptr) {
    text = observation(*best, unit_);
    left.erase(std::remove_if(left.begin(), left.end(), [&](const modelled_unit& other) { return separates(*best, other); }), left.end());
  }
  std::string dot;
  for (const modelled_unit& alternative : left) {
    std::string found = separating_dot(alternative);
    if (found.empty() && question.excludes_all) return {};
    if (dot.empty()) dot = std::move(found);
    if (!dot.empty() && !question.excludes_all) break;
  }
  return text.empty() || dot.empty() ? text + dot : text + "; " + dot;
}

}  // namespace tc::study
