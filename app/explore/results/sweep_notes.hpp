// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "result_store.hpp"

namespace tcsim {

/// What somebody should know who reads the results of a sweep: axes that made no difference to any measured metric in points that differ in
/// them alone, and metrics that no finished point has.
std::vector<std::string> notes_on(const result_store& store);

}  // namespace tcsim
