// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "result_store.hpp"

namespace tcsim {

/// What chance may have made in the results of a sweep: along each axis, which neighbours its runs do not tell apart, points that differ in
/// nothing else; that runs are too few to tell; or that each point ran once, and nothing is known of it.
std::vector<std::string> notes_on_chance(const result_store& store, const sweep_plan& plan);

}  // namespace tcsim
