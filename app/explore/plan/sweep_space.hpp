// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sweep_file.hpp"

namespace tcsim {

/// Which value each axis has, by index; no_value: the axis is not there.
using axis_choice = std::vector<std::uint32_t>;
inline constexpr std::uint32_t no_value = 0xffffffff;

/// A point before anything is known of it but its choice.
struct chosen_point {
  std::size_t workload = 0;
  axis_choice choice;
};

/// Whether the axis varies something that the workload has.
bool concerns(const axis_description& axis, const workload_description& workload);

/// A sweep has no more, before constraints.
inline constexpr std::size_t most_sweep_points = 1'000'000;
/// Runs of points that are repeated: the effective configuration of each is kept while a sweep is planned.
inline constexpr std::size_t most_repeated_runs = 100'000;

/// All combinations of the values of the axes with each workload: the workloads in their order, then the first axis slowest. Throws
/// config_error if there are more than most_sweep_points.
std::vector<chosen_point> all_points(const sweep_file& file);

}  // namespace tcsim
