// SPDX-License-Identifier: Apache-2.0
#include "point_builder.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <tc/config/json_text.hpp>
#include <tc/config/spelling.hpp>

namespace tcsim {

namespace {

namespace json = boost::json;
using target = axis_description::target;
using tc::config::config_error;

/// What stands at the keys of a path; null if there is nothing.
const json::value* find_parameter(const json::value& root, const std::vector<std::string>& keys) {
  const json::value* place = &root;
  for (const std::string& key : keys) {
    if (const auto* const object = place->if_object()) {
      place = object->if_contains(key);
    } else if (const auto* const list = place->if_array()) {
      std::size_t index = list->size();
      std::from_chars(key.data(), key.data() + key.size(), index);
      place = list->if_contains(index);
    } else {
      return nullptr;
    }
    if (place == nullptr) return nullptr;
  }
  return place;
}

/// A value of an axis over these parameters. What cannot be relative is left as it is: a text, and what is told elsewhere to be no
/// parameter.
json::value resolved(const axis_description& axis, std::size_t value, const json::value& parameters) {
  const axis_value& written = axis.values[value];
  const auto factor = relative_factor(written.value);
  if (!factor || axis.of == target::base) return written.value;
  const json::value* const base = find_parameter(parameters, axis.keys());
  if (base == nullptr || base->is_string()) return written.value;
  try {
    return multiple_of(*base, *factor);
  } catch (const std::invalid_argument& error) {
    throw written.place.error(fmt::format("{}: {}", axis.path, error.what()));
  }
}

}  // namespace

point_builder::point_builder(const sweep_file& file) : file_(file), machines_(file) {
  for (const workload_description& each : file.workloads)
    workloads_.push_back(make_workload(each.kind, each.parameters.document(), file.folder()));
  for (const auto& each : workloads_) parameters_.emplace_back(each->parameters());
  for (const axis_description& axis : file.axes)
    if (axis.of == target::workload) check_parameters(axis);
  for (const auto& dimension : file.dimensions)
    if (dimension.size() == 1) check_distinct(file.axes[dimension.front()]);
}

void point_builder::check_distinct(const axis_description& axis) const {
  if (axis.of == target::machine)
    for (std::size_t base = 0; base < machines_.count(); ++base) check_distinct(axis, machines_.parameters(base), machines_.name(base));
  if (axis.of == target::workload)
    for (std::size_t w = 0; w < workloads_.size(); ++w)
      if (concerns(axis, file_.workloads[w])) check_distinct(axis, parameters_[w], file_.workloads[w].name);
}

void point_builder::check_distinct(const axis_description& axis, const json::value& parameters, const std::string& of) const {
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    const json::value value = resolved(axis, i, parameters);
    const auto [other, is_new] = seen.emplace(canonical_text(value), i);
    if (is_new) continue;
    using tc::config::compact_text;
    throw axis.values[i].place.error(fmt::format("{} and {} are both {} in {}", compact_text(axis.values[other->second].value),
                                                 compact_text(axis.values[i].value), compact_text(value), of));
  }
}

void point_builder::check_parameters(const axis_description& axis) const {
  const std::string key = axis.keys().front();
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

json::value point_builder::value_of(std::size_t axis, const chosen_point& point) const {
  const axis_description& described = file_.axes[axis];
  const bool is_of_workload = described.of == target::workload;
  return resolved(described, point.choice[axis],
                  is_of_workload ? parameters_[point.workload] : machines_.parameters(base_of(point.choice)));
}

std::vector<json::value> point_builder::values_of(const chosen_point& point) const {
  std::vector<json::value> values(point.choice.size());
  for (std::size_t axis = 0; axis < values.size(); ++axis)
    if (point.choice[axis] != no_value) values[axis] = value_of(axis, point);
  return values;
}

std::vector<tc::config::parameter_override> point_builder::changes_of(const chosen_point& point, target of) const {
  std::vector<tc::config::parameter_override> changes;
  for (std::size_t axis = 0; axis < point.choice.size(); ++axis)
    if (point.choice[axis] != no_value && file_.axes[axis].of == of)
      changes.push_back(file_.axes[axis].change(point.choice[axis], value_of(axis, point)));
  return changes;
}

std::size_t point_builder::base_of(const axis_choice& choice) const {
  for (std::size_t axis = 0; axis < choice.size(); ++axis)
    if (choice[axis] != no_value && file_.axes[axis].of == target::base) return choice[axis];
  return 0;
}

tc::config::machine point_builder::machine_of(const axis_choice& choice) const {
  return machines_.make(base_of(choice), changes_of({0, choice}, target::machine));
}

void point_builder::check(const tc::config::machine& machine, const axis_choice& choice) const {
  std::vector<tc::config::parameter_override> changes = file_.assignments;
  for (auto& change : changes_of({0, choice}, target::machine)) changes.push_back(std::move(change));
  try {
    sweep_machines::check(machine, changes, file_.root().find("axes").value_or(file_.root()));
  } catch (const config_error& error) {
    throw config_error(error.source(), error.position(), error.path(), error.message() + at({0, choice}));
  }
}

std::unique_ptr<workload> point_builder::workload_of(const chosen_point& point) const {
  auto made = workloads_[point.workload]->clone();
  for (const auto& change : changes_of(point, target::workload)) made->set(change);
  return made;
}

void point_builder::check(const workload& workload, const tc::config::machine& machine, const chosen_point& point) const {
  try {
    workload.check(machine);
  } catch (const config_error& error) {
    if (error.position().line != 0) throw config_error(error.source(), error.position(), error.path(), error.message() + at(point));
    throw file_.workloads[point.workload].parameters.error(error.what() + at(point));
  } catch (const std::runtime_error& error) {
    throw file_.workloads[point.workload].parameters.error(error.what() + at(point));
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

/// " (at banks = 2, base = turing)"; empty without axes.
std::string point_builder::at(const chosen_point& point) const {
  using tc::config::compact_text;
  std::string text;
  for (std::size_t axis = 0; axis < point.choice.size(); ++axis) {
    if (point.choice[axis] == no_value) continue;
    const std::string value = compact_text(value_of(axis, point)),
                      written = compact_text(file_.axes[axis].values[point.choice[axis]].value);
    text += fmt::format("{}{} = {}{}", text.empty() ? "" : ", ", file_.axes[axis].name, value,
                        value == written ? "" : fmt::format(" ({})", written));
  }
  return text.empty() ? "" : fmt::format(" (at {})", text);
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
