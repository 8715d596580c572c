#pragma once

#include <string>

#include <tc/kernels/gemm_plan.hpp>

namespace tcsim {

/// Reads "128x64x32", elements of m, n and k of a tile, and "2x4", warps along m and n; an empty text leaves them to be chosen. Throws
/// usage_error.
void read_tiling(const std::string& tile, const std::string& warps, tc::kernels::gemm_tiling& tiling);

}  // namespace tcsim
