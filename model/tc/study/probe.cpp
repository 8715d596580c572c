// SPDX-License-Identifier: Apache-2.0
#include "probe.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <tc/study/probe_behaviour.hpp>
#include <tc/study/probe_evidence.hpp>
#include <tc/study/probe_facet.hpp>
#include <tc/study/probe_generator.hpp>
#include <tc/study/probe_scan.hpp>

namespace tc::study {

namespace {

using numerics::dot_product;
using numerics::dot_product_parameters;
using numerics::number_class;

/// The conversation with a unit.
class interview {
 public:
  interview(const unit_under_test& unit, const probe_effort& effort, std::size_t variants)
      : unit_(unit), effort_(effort), space_(unit, variants), generator_(unit.types(), effort.seed) {
    if (space_.descriptions().empty()) throw std::invalid_argument("probe: no datapath of the model takes these formats");
  }

  datapath_findings hold();
  /// Whether following more variants of the descriptions might explain what is unexplained.
  bool may_have_missed() const { return !goes_on() && space_.was_thinned(); }

 private:
  bool goes_on() const { return !space_.unexplained(); }
  /// Whether every description left was asked everything.
  bool ask_all(const std::vector<dot_inputs>& experiments);
  void ask_plain_numbers();
  void ask_about(unsigned length);
  void check();
  dot_product_parameters plainest() const;
  /// Made from one of the descriptions left.
  datapath_guess guess();

  finding answer_to(const facet& question, evidence_search& evidence) const;

  const unit_under_test& unit_;
  probe_effort effort_;
  version_space space_;
  dot_generator generator_;
  std::size_t experiments_ = 0;
};

datapath_guess interview::guess() { return guess_from(space_.any_description().parameters()); }

bool interview::ask_all(const std::vector<dot_inputs>& experiments) {
  experiments_ += experiments.size();
  return space_.ask_all(experiments);
}

/// Rows of one product, all numbers and the result far from zero: what is asked before subnormals and zeros have descriptions.
void interview::ask_plain_numbers() {
  const auto& types = unit_.types();
  const auto is_plain = [](std::uint64_t bits, const numerics::number_format& format) {
    const auto number = numerics::unpack(bits, format);
    return number.category == number_class::normal && number.exponent > -6 && number.exponent < 12;
  };
  constexpr int tries = 4000;
  std::vector<dot_inputs> experiments;
  for (int i = 0; i < tries && experiments.size() < effort_.experiments_a_length; ++i) {
    const dot_inputs dot = generator_.finite(1, guess());
    if (is_plain(dot.a[0], types.a) && is_plain(dot.b[0], types.b) && is_plain(dot.c, types.accumulator) &&
        is_plain(unit_(dot), types.accumulator))
      experiments.push_back(dot);
  }
  ask_all(experiments);
}

/// Classic experiments, then random ones as long as they still tell something. The classic ones again if too many were left to be asked.
void interview::ask_about(unsigned length) {
  std::vector<dot_inputs> experiments;
  for (const datapath_guess& aim : {guess_from(plainest()), guess()})
    for (scan& experiment : classic_scans(unit_.types(), length, aim))
      for (scan::point& point : experiment.points) experiments.push_back(std::move(point.with));
  const std::vector<dot_inputs> classic = std::move(experiments);
  const bool is_settled = ask_all(classic);
  std::size_t before = 0;
  const unsigned patience = length == effort_.k ? 5 : 2;
  for (unsigned fruitless = 0; fruitless < patience && goes_on(); fruitless = space_.descriptions().size() < before ? 0 : fruitless + 1) {
    before = space_.descriptions().size();
    experiments.clear();
    for (unsigned i = 0; i < effort_.experiments_a_length; ++i) experiments.push_back(generator_.finite(length, guess()));
    ask_all(experiments);
  }
  if (!is_settled) ask_all(classic);
}

/// Random dot products of any length, a quarter of them with any bits at all. The plainest description must explain them all, the others in
/// turn: what contradicts one of them is asked of all.
void interview::check() {
  auto plain = dot_product(unit_.types(), plainest());
  for (unsigned i = 0; i < effort_.checks && goes_on(); ++i) {
    const unsigned length = i % 4 == 0 ? 1 + i % effort_.k : effort_.k;
    const dot_inputs dot = i % 4 == 1 ? generator_.any_bits(length) : generator_.finite(length, guess());
    const packed_inputs packed(dot, unit_.types());
    const std::uint64_t answer = unit_(dot);
    if (packed.run(plain) == answer && packed.run(space_.any_description()) == answer) continue;
    space_.ask(dot);
    plain = dot_product(unit_.types(), plainest());
  }
}

/// Of the descriptions left, the one with least out of the ordinary.
dot_product_parameters interview::plainest() const {
  const auto oddity = [](const dot_product& unit) {
    const dot_product_parameters& p = unit.parameters();
    return std::tuple(p.order, p.addend, p.multiply_as_f16, p.products_per_term, p.flush_subnormals, p.align_to_zeros,
                      ~p.output_rounding.kept_fraction_bits, p.alignment_fraction_bits, p.group_length, ~p.alignment_floor);
  };
  const auto& all = space_.descriptions();
  return std::min_element(all.begin(), all.end(), [&](const dot_product& x, const dot_product& y) { return oddity(x) < oddity(y); })
      ->parameters();
}

finding interview::answer_to(const facet& question, evidence_search& evidence) const {
  const dot_product_parameters found = plainest();
  finding result{question.key, question.question, question.answer(found), certainty::found, "", ""};
  if (!question.applies(found)) {
    result.answer = "-";
    result.sure = certainty::no_meaning;
    return result;
  }
  std::set<unsigned long> values;
  for (const dot_product& left : space_.descriptions())
    if (question.applies(left.parameters())) values.insert(question.value(left.parameters()));
  const bool counts_elements = question.key == "group_length" || question.key == "products_per_term";
  if (values.size() > 1) {
    dot_product_parameters first = found, last = found;
    question.set(first, *values.begin());
    question.set(last, *values.rbegin());
    result.answer = fmt::format("{} {} {}", question.answer(first), values.size() == 2 ? "or" : "to", question.answer(last));
    result.sure = certainty::not_observable;
    result.reason = question.cause;
  } else if (counts_elements && *values.begin() >= effort_.k) {
    result.answer += " or more";
    result.sure = certainty::lower_bound;
    result.reason = fmt::format("rows of {} elements are no longer than one group", effort_.k);
  } else if (question.key == "alignment_floor" && found.alignment_floor == numerics::maximum_alignment_floor) {
    result.answer = "none seen";
    result.sure = certainty::lower_bound;
    result.reason = "sums of these formats do not show a deeper one";
  }
  result.evidence = evidence.of(question);
  const bool is_shown = !result.evidence.empty() || (result.sure == certainty::lower_bound && counts_elements);
  if (result.sure != certainty::not_observable && !is_shown) {
    result.answer = question.others(found).size() == 1 ? "either" : result.answer + ", or others";
    result.sure = certainty::not_observable;
    result.reason = question.cause;
  }
  return result;
}

datapath_findings interview::hold() {
  ask_plain_numbers();
  space_.add_rules();
  ask_about(1);
  for (unsigned length = 1; length < effort_.k && goes_on();) {
    length = std::min(effort_.k, length == 2 ? 3 : 2 * length);
    space_.lengthen(length);
    ask_about(length);
  }
  if (goes_on() && !space_.has_floors()) {
    space_.add_floors();
    ask_about(effort_.k);
  }
  datapath_findings findings{unit_.types(), effort_.k, {}, {}, experiments_, 0, {}};
  check();
  findings.checked = effort_.checks;
  findings.parameters = plainest();
  findings.unexplained = space_.unexplained();
  const dot_product description(unit_.types(), findings.parameters);
  evidence_search evidence(unit_, description, effort_.k);
  if (findings.explained())
    for (const facet& question : datapath_facets()) findings.answers.push_back(answer_to(question, evidence));
  for (finding& behaviour : observe_behaviour(unit_, findings)) findings.answers.push_back(std::move(behaviour));
  if (findings.unexplained) {
    contradiction& first = *findings.unexplained;
    first.inputs = shortened(first.inputs, unit_.types(), unit_, modelled_unit(description));
    first.found = unit_(first.inputs);
    first.predicted = modelled_unit(description)(first.inputs);
  }
  return findings;
}

}  // namespace

datapath_findings probe_datapath(const unit_under_test& unit, const probe_effort& effort) {
  constexpr std::size_t some_variants = 500, most_variants = 20000;
  interview first(unit, effort, some_variants);
  datapath_findings findings = first.hold();
  return first.may_have_missed() ? interview(unit, effort, most_variants).hold() : findings;
}

}  // namespace tc::study
