// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "sweep_plan.hpp"

namespace tcsim {

/// Reads a sweep file and plans all of it. Throws config_error, with the place in the file, for anything that is wrong: after that, only
/// what happens in the model can fail. The workloads and machines of all points have been made and checked, and each different run is
/// there once. Nothing of SystemC is touched.
sweep_plan read_sweep(const std::filesystem::path& file);

}  // namespace tcsim
