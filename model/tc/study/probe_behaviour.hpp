// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tc/study/probe.hpp>
#include <tc/study/probe_unit.hpp>

namespace tc::study {

/// What no parameter describes, straight from the unit's answers: subnormal operands, products and terms in the alignment, order of the
/// elements of a group, carries, infinities and NaN. `findings` holds the description found, which says how long a group is.
std::vector<finding> observe_behaviour(const unit_under_test& unit, const datapath_findings& findings);

}  // namespace tc::study
