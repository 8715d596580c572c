// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "result_store.hpp"

namespace tcsim {

/// What readers of the results of a sweep should know: metrics that no finished point has, axes that made no difference to any measured
/// metric in points that differ in them alone, what chance may have made, workloads whose code was not the same on
/// all machines, and points that draw more in their time than the part has.
std::vector<std::string> notes_on(const result_store& store);

/// A warning of the model.
struct sweep_warning {
  std::string text;
  std::size_t points = 0;  ///< that have it
  std::size_t first = 0;   ///< number of the first one of them
};

/// What runs warned of, each text once, in the order of the points.
std::vector<sweep_warning> warnings_in(const result_store& store);

/// For people: "point 3 and 7 others: reads R13 ...".
std::string text_of(const sweep_warning& warning);

}  // namespace tcsim
