// SPDX-License-Identifier: Apache-2.0
#include "sweep_space.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tcsim {

namespace {

/// The dimensions that a workload has.
std::vector<std::size_t> dimensions_of(const sweep_file& file, const workload_description& workload) {
  std::vector<std::size_t> indices;
  for (std::size_t d = 0; d < file.dimensions.size(); ++d) {
    const auto& axes = file.dimensions[d];
    if (std::any_of(axes.begin(), axes.end(), [&](std::size_t axis) { return concerns(file.axes[axis], workload); })) indices.push_back(d);
  }
  return indices;
}

std::size_t length_of(const sweep_file& file, std::size_t dimension) { return file.axes[file.dimensions[dimension].front()].values.size(); }

/// Gives the axes of a dimension their values.
void choose(const sweep_file& file, std::size_t dimension, std::size_t value, chosen_point& point) {
  for (const std::size_t axis : file.dimensions[dimension])
    if (concerns(file.axes[axis], file.workloads[point.workload])) point.choice[axis] = static_cast<std::uint32_t>(value);
}

void add_points(const sweep_file& file, std::size_t workload, std::vector<chosen_point>& points) {
  const auto dimensions = dimensions_of(file, file.workloads[workload]);
  std::vector<std::size_t> at(dimensions.size(), 0);
  for (bool is_done = false; !is_done;) {
    chosen_point& point = points.emplace_back(chosen_point{workload, axis_choice(file.axes.size(), no_value)});
    for (std::size_t i = 0; i < dimensions.size(); ++i) choose(file, dimensions[i], at[i], point);
    is_done = true;
    for (std::size_t i = dimensions.size(); i-- > 0;) {
      if (++at[i] < length_of(file, dimensions[i])) {
        is_done = false;
        break;
      }
      at[i] = 0;
    }
  }
}

}  // namespace

bool concerns(const axis_description& axis, const workload_description& workload) {
  return axis.workloads.empty() || std::find(axis.workloads.begin(), axis.workloads.end(), workload.name) != axis.workloads.end();
}

std::vector<chosen_point> all_points(const sweep_file& file) {
  double count = 0;
  for (const workload_description& workload : file.workloads) {
    double combinations = 1;
    for (const std::size_t dimension : dimensions_of(file, workload)) combinations *= static_cast<double>(length_of(file, dimension));
    count += combinations;
  }
  if (count > static_cast<double>(most_sweep_points))
    throw file.root().member("axes").error(
        fmt::format("these are {:.0f} points before constraints; a sweep has at most {}", count, most_sweep_points));
  std::vector<chosen_point> points;
  points.reserve(static_cast<std::size_t>(count));
  for (std::size_t w = 0; w < file.workloads.size(); ++w) add_points(file, w, points);
  return points;
}

}  // namespace tcsim
