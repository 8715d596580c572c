// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <tc/numerics/dot_product.hpp>
#include <tc/study/probe_unit.hpp>

namespace tc::study {

/// An experiment that a description predicts wrongly.
struct contradiction {
  dot_inputs inputs;
  std::uint64_t predicted = 0, found = 0;
};

/// All descriptions of a datapath that agree with everything a unit has answered so far: a version space (Mitchell, 1982). An experiment
/// strikes out the descriptions that predict another answer; values of a parameter that are left together cannot be told apart by what was
/// asked.
///
/// It grows with the rows: a row of one element says nothing of groups, and in rows of n elements all groups of n or more are alike, so
/// these are one description until the rows get longer.
class version_space {
 public:
  /// Descriptions of what happens to rows of one element, for numbers far from subnormals and zeros: order, addend, widths and rounding.
  /// `variants` bounds how many descriptions of one order and addend are followed to longer rows, where each becomes many.
  version_space(const unit_under_test& unit, std::size_t variants);

  /// Takes subnormals, zeros and products summed before the alignment into account.
  void add_rules();
  /// Takes rows of up to `length` elements into account, at most twice as long as so far.
  void lengthen(unsigned length);

  /// Whether descriptions say how small an exponent terms are aligned to. Until then nothing is asked that depends on it: there would be
  /// many times as many descriptions.
  bool has_floors() const { return has_floors_; }
  /// Takes alignment floors into account, as far as these formats can show them; no floor stands for all that they cannot tell from none.
  void add_floors();

  /// Asks the unit and strikes out what it contradicts. If that is every description, remembers the contradiction and keeps them all;
  /// nothing is asked after that.
  void ask(const dot_inputs& inputs);
  /// Asks all of these, in any order. Most experiments contradict nobody, and asking everybody everything takes long while there are many:
  /// a few are asked first, and everybody only what contradicts one of these. The other experiments are used when fewer are left; returns
  /// whether they were.
  bool ask_all(const std::vector<dot_inputs>& experiments);

  /// The descriptions left; never empty, except for formats that no description takes.
  const std::vector<numerics::dot_product>& descriptions() const { return descriptions_; }
  /// One of those left, another at every call.
  const numerics::dot_product& any_description();
  /// Whether descriptions were left out unasked. If nothing explains the unit then, more variants may.
  bool was_thinned() const { return was_thinned_; }
  /// The experiment that no description explains.
  const std::optional<contradiction>& unexplained() const { return unexplained_; }

 private:
  using parameters = numerics::dot_product_parameters;

  struct question {
    dot_inputs inputs;
    packed_inputs packed;
    std::uint64_t answer;

    bool contradicts(const numerics::dot_product& description) const;
  };

  question asked(const dot_inputs& inputs) const;
  bool contradicts_some(const question& asked);
  void strike(const question& asked);
  void thin();

  /// False if there is no such datapath.
  bool add(const parameters& description);
  /// All widths and roundings of a description.
  void add_widths(parameters description);
  void add_longer(parameters description, unsigned length);
  /// False if none could stand for the groups of `length` elements or more.
  bool add_groups(parameters description, unsigned first, unsigned length);

  const unit_under_test& unit_;
  std::size_t variants_;
  bool was_thinned_ = false, has_floors_;
  unsigned length_ = 1;
  std::size_t next_ = 0;
  std::vector<numerics::dot_product> descriptions_;
  std::optional<contradiction> unexplained_;
};

}  // namespace tc::study
