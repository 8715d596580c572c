// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/study/probe_findings.hpp>
#include <tc/study/probe_unit.hpp>

namespace tc::study {

/// How thoroughly to probe.
struct probe_effort {
  unsigned k = 64;                      ///< longest row, in elements: several groups, so that chains show
  unsigned experiments_a_length = 200;  ///< random experiments for each length of row on the way there
  unsigned checks = 12000;              ///< random dot products that the description found must explain
  std::uint64_t seed = 1;               ///< of all random experiments
};

/// Infers the datapath of a floating-point dot-product unit by calling it.
///
/// Begins with every description that numerics::dot_product can be given, and strikes out what the answers contradict: first in rows of one
/// element, which show widths and rounding, then in longer and longer ones, which show groups and their order. Each length asks the classic
/// experiments of the literature, then random ones aimed at the edges of the descriptions that are left. At the end the description left
/// must explain random dot products, infinities and NaN included. Throws std::invalid_argument for formats that no description takes.
datapath_findings probe_datapath(const unit_under_test& unit, const probe_effort& effort = {});

}  // namespace tc::study
