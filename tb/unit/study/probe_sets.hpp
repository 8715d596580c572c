// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>

#include <tc/numerics/dot_product.hpp>
#include <tc/study/probe.hpp>

namespace tc::study::test {

/// The `n`-th of a sequence of datapaths drawn at random: formats, order, group length 1 to 64, widths, roundings and rules.
numerics::dot_product random_datapath(unsigned n);

/// A row long enough to show several groups.
unsigned telling_length(const numerics::dot_product& unit);

/// What is wrong with findings about a known unit: nothing explained, a parameter called found that has another value, an answer without
/// evidence, or a description that differs from the unit on a random dot product. Empty if nothing is.
std::string mistakes(const datapath_findings& findings, const numerics::dot_product& unit);

}  // namespace tc::study::test
