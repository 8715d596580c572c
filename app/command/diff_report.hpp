// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <boost/json.hpp>

#include "run_difference.hpp"

namespace tcsim {

/// What changed between two runs, as tables for people: no more than `rows` rows in each of the long ones, and how many are left
/// out; of 0 rows, these tables are left out.
std::string text_of(const run_difference& difference, std::size_t rows);

/// The same for programs, all of it: `equal`, `beyond_chance`, `remarks`, `run`, `configuration`, `kernels`, `limits`, `results`, `stalls`,
/// `issue_slots`, `counters`, `only_in_a`, `only_in_b`, `other_keys`. Values that a run does not have are null.
boost::json::object json_of(const run_difference& difference);

}  // namespace tcsim
