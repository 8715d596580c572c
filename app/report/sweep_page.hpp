// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "result_store.hpp"

namespace tcsim {

/// The report of a sweep: a page with a table of its points, charts, a Pareto front, comparisons, and what failed. Points that have not
/// been run are in it too.
std::string sweep_page(const result_store& results);

}  // namespace tcsim
