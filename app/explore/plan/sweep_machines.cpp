// SPDX-License-Identifier: Apache-2.0
#include "sweep_machines.hpp"

#include <algorithm>
#include <cstddef>

#include <tc/config/json_text.hpp>
#include <tc/config/parameter_path.hpp>
#include <tc/config/parameter_writer.hpp>
#include <tc/config/validation.hpp>

#include "configuration.hpp"
#include "exit_status.hpp"

namespace tcsim {

namespace {

using tc::config::config_error;
using tc::config::machine;
using tc::config::parameter_override;

/// A file relative to the sweep file, or a built-in configuration.
machine load_base(const sweep_file& file, const file_value& place) {
  try {
    return load_configuration(place.string(), {}, file.folder());
  } catch (const usage_error& error) {
    throw place.error(error.what());
  }
}

/// The change of the parameter at a path, or else the last one of those that share most keys with it: a rule is about several parameters,
/// and the error names one. Null if none shares any.
const parameter_override* nearest_change(const std::vector<parameter_override>& changes, const std::string& path) {
  const std::vector<std::string> keys = path.empty() ? std::vector<std::string>() : tc::config::split_path(path);
  const parameter_override* nearest = nullptr;
  std::ptrdiff_t most = 1;
  for (const parameter_override& change : changes) {
    const auto shared = std::mismatch(keys.begin(), keys.end(), change.keys().begin(), change.keys().end()).first - keys.begin();
    if (shared < most) continue;
    most = shared;
    nearest = &change;
  }
  return nearest;
}

}  // namespace

sweep_machines::sweep_machines(const sweep_file& file) {
  const auto add = [&](const file_value& place) { bases_.push_back({place.string(), load_base(file, place), {}}); };
  if (file.base) add(*file.base);
  for (const axis_description& axis : file.axes)
    if (axis.of == axis_description::target::base)
      for (const axis_value& value : axis.values) add(value.place);
  for (base_machine& base : bases_) {
    for (const parameter_override& change : file.assignments) change.apply(base.machine);
    base.parameters = tc::config::to_json(base.machine);
  }
}

machine sweep_machines::make(std::size_t base, const std::vector<parameter_override>& changes) const {
  machine made = bases_[base].machine;
  for (const parameter_override& change : changes) change.apply(made);
  return made;
}

void sweep_machines::check(const machine& machine, const std::vector<parameter_override>& changes, const file_value& place) {
  try {
    tc::config::validate_tree(machine);
  } catch (const config_error& error) {
    const parameter_override* const nearest = nearest_change(changes, error.path());
    const config_error there = place.error("");
    throw config_error(there.source(), nearest == nullptr ? there.position() : nearest->position(), error.path(), error.message());
  }
}

std::string sweep_machines::text_of(const machine& machine) { return tc::config::compact_text(tc::config::to_json(machine)); }

std::vector<tc::config::parameter_row> sweep_machines::parameters_of(const machine& machine) {
  return tc::config::list_parameters(machine);
}

}  // namespace tcsim
