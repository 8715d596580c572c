// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "point_builder.hpp"
#include "sweep_file.hpp"

namespace tcsim {

/// Throws config_error for an axis that changes nothing: with the other axes at their first values, all its values give the same
/// configuration and workloads; or its only value gives the same as the sweep without the axis.
void check_axis_effects(const sweep_file& file, const point_builder& builder);

}  // namespace tcsim
