// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweep_plan.hpp"

namespace tcsim {

/// What a sweep is going to do, for people: numbers of points and runs, the axes with their values, the metrics.
std::string sweep_plan_text(const sweep_plan& plan);

}  // namespace tcsim
