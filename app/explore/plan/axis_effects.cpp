// SPDX-License-Identifier: Apache-2.0
#include "axis_effects.hpp"

#include <algorithm>

#include <tc/config/json_text.hpp>

namespace tcsim {

namespace {

using target = axis_description::target;

/// What a point makes of the part that the axis is about, as text.
std::string effect_of(const point_builder& builder, const axis_description& axis, const chosen_point& point) {
  if (axis.of == target::workload) return tc::config::compact_text(builder.workload_of(point)->parameters());
  return sweep_machines::text_of(builder.machine_of(point.choice));
}

/// Whether a workload sees any difference between the values of an axis.
bool changes_something(const sweep_file& file, const point_builder& builder, std::size_t axis, std::size_t workload) {
  chosen_point point{workload, axis_choice(file.axes.size(), 0)};
  for (std::size_t i = 0; i < file.axes.size(); ++i)
    if (!concerns(file.axes[i], file.workloads[workload])) point.choice[i] = no_value;
  const axis_description& varied = file.axes[axis];
  const std::string first = effect_of(builder, varied, point);
  if (varied.values.size() == 1) point.choice[axis] = no_value;
  const std::size_t others = std::max<std::size_t>(varied.values.size(), 2);
  for (std::size_t value = 1; value < others; ++value) {
    if (varied.values.size() > 1) point.choice[axis] = static_cast<std::uint32_t>(value);
    if (effect_of(builder, varied, point) != first) return true;
  }
  return false;
}

}  // namespace

void check_axis_effects(const sweep_file& file, const point_builder& builder) {
  for (std::size_t axis = 0; axis < file.axes.size(); ++axis) {
    bool changes = false;
    for (std::size_t w = 0; w < file.workloads.size() && !changes; ++w)
      changes = concerns(file.axes[axis], file.workloads[w]) && changes_something(file, builder, axis, w);
    if (changes) continue;
    const bool is_one = file.axes[axis].values.size() == 1;
    throw file.axes[axis].place.error(is_one ? "changes nothing: its only value is what there is without this axis"
                                             : "changes nothing: all its values give the same configuration and workloads");
  }
}

}  // namespace tcsim
