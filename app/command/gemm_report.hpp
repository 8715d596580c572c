// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gemm_figures.hpp"

namespace tcsim {

/// A table with a row for each GEMM.
std::string table_of(const std::vector<gemm_figures>& figures);

/// The same as comma-separated values, for plots.
std::string csv_of(const std::vector<gemm_figures>& figures);

}  // namespace tcsim
