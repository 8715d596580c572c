// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/numerics/dot_product.hpp>
#include <tc/study/probe_facet.hpp>
#include <tc/study/probe_scan.hpp>

namespace tc::study {

/// An experiment reduced to as few products as still make two units disagree.
dot_inputs shortened(dot_inputs inputs, const numerics::dot_product_types& types, const unit_under_test& one, const unit_under_test& other);

/// What shows that a parameter has its value: experiments whose answers other values of the parameter contradict.
class evidence_search {
 public:
  /// `found` explains the unit in rows of up to `length` elements.
  evidence_search(const unit_under_test& unit, const numerics::dot_product& found, unsigned length);

  /// The classic experiment that excludes most other values, and where some are left an experiment that excludes the nearest of them. Empty
  /// if none does, or one value is left of a question that excludes all.
  std::string of(const facet& question);

 private:
  /// The datapath found but for this parameter, which has other values; only datapaths that there can be.
  std::vector<modelled_unit> alternatives(const facet& question) const;
  bool separates(const scan& experiment, const modelled_unit& alternative) const;
  std::string separating_dot(const modelled_unit& alternative);

  const unit_under_test& unit_;
  modelled_unit found_;
  numerics::dot_product_parameters parameters_;
  unsigned length_;
  datapath_guess guess_;
  std::vector<scan> scans_;
};

}  // namespace tc::study
