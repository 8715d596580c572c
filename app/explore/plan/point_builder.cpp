// SPDX-License-Identifier: Apache-2.0
#include "point_builder.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <tc/config/json_text.hpp>
#include <tc/config/spelling.hpp>

namespace tcsim {

namespace {

using target = axis_description::target;
using tc::config::config_error;

}  // namespace

point_builder::point_builder(const sweep_file& file) : file_(file), machines_(file) {
  for (const workload_description& each : file.workloads)
    workloads_.push_back(make_workload(each.kind, each.parameters.document(), file.folder()));
  for (const axis_description& axis : file.axes)
    if (axis.of == target::workload) check_parameters(axis);
}

void point_builder::check_parameters(const axis_description& axis) const {
  const std::string key = axis.change(0).keys().front();
  for (std::size_t w = 0; w < workloads_.size(); ++w) {
    if (!concerns(axis, file_.workloads[w])) continue;
    const boost::json::object parameters = workloads_[w]->parameters();
    if (parameters.contains(key)) continue;
    std::vector<std::string> known;
    for (const auto& parameter : parameters) known.emplace_back(parameter.key());
    throw axis.place.member("path").error(fmt::format(R"(workload "{}": {}; "workloads" of the axis can name those that have it)",
                                                      file_.workloads[w].name, tc::config::unknown_name_text("parameter", key, known)));
  }
}

std::vector<tc::config::parameter_row> point_builder::parameters_of(const axis_description& axis) const {
  const auto first = std::find_if(file_.workloads.begin(), file_.workloads.end(), [&](const auto& each) { return concerns(axis, each); });
  return workload_parameters(first->kind);
}

std::vector<tc::config::parameter_override> point_builder::changes_of(const axis_choice& choice, target of) const {
  std::vector<tc::config::parameter_override> changes;
  for (std::size_t axis = 0; axis < choice.size(); ++axis)
    if (choice[axis] != no_value && file_.axes[axis].of == of) changes.push_back(file_.axes[axis].change(choice[axis]));
  return changes;
}

tc::config::machine point_builder::machine_of(const axis_choice& choice) const {
  std::size_t base = 0;
  for (std::size_t axis = 0; axis < choice.size(); ++axis)
    if (choice[axis] != no_value && file_.axes[axis].of == target::base) base = choice[axis];
  return machines_.make(base, changes_of(choice, target::machine));
}

void point_builder::check(const tc::config::machine& machine, const axis_choice& choice) const {
  std::vector<tc::config::parameter_override> changes = file_.assignments;
  for (auto& change : changes_of(choice, target::machine)) changes.push_back(std::move(change));
  try {
    sweep_machines::check(machine, changes, file_.root().find("axes").value_or(file_.root()));
  } catch (const config_error& error) {
    throw config_error(error.source(), error.position(), error.path(), error.message() + at(choice));
  }
}

std::unique_ptr<workload> point_builder::workload_of(const chosen_point& point) const {
  auto made = workloads_[point.workload]->clone();
  for (const auto& change : changes_of(point.choice, target::workload)) made->set(change);
  return made;
}

void point_builder::check(const workload& workload, const tc::config::machine& machine, const chosen_point& point) const {
  try {
    workload.check(machine);
  } catch (const config_error& error) {
    if (error.position().line != 0) throw config_error(error.source(), error.position(), error.path(), error.message() + at(point.choice));
    throw file_.workloads[point.workload].parameters.error(error.what() + at(point.choice));
  } catch (const std::runtime_error& error) {
    throw file_.workloads[point.workload].parameters.error(error.what() + at(point.choice));
  }
}

std::string point_builder::content_code_of(const workload& workload, std::size_t index) const {
  try {
    return workload.content_code();
  } catch (const std::runtime_error& error) {
    throw file_.workloads[index].parameters.error(error.what());
  }
}

axis_choice point_builder::only(const axis_choice& choice, bool of_workload) const {
  axis_choice some = choice;
  for (std::size_t axis = 0; axis < some.size(); ++axis)
    if ((file_.axes[axis].of == target::workload) != of_workload) some[axis] = no_value;
  return some;
}

axis_choice point_builder::machine_choice(const axis_choice& choice) const { return only(choice, false); }
axis_choice point_builder::workload_choice(const axis_choice& choice) const { return only(choice, true); }

std::string point_builder::at(const axis_choice& choice) const {
  const std::string values = text_of(file_, choice);
  return values.empty() ? "" : fmt::format(" (at {})", values);
}

namespace {

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
