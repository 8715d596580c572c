#include "sweep_machines.hpp"

#include <tc/config/parameter_loader.hpp>
#include <tc/config/parameter_writer.hpp>

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

}  // namespace

sweep_machines::sweep_machines(const sweep_file& file) {
  const auto add = [&](const file_value& place) { bases_.push_back({place.string(), load_base(file, place)}); };
  if (file.base) add(*file.base);
  for (const axis_description& axis : file.axes)
    if (axis.of == axis_description::target::base)
      for (const axis_value& value : axis.values) add(value.place);
  for (base_machine& base : bases_)
    for (const parameter_override& change : file.assignments) change.apply(base.machine);
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
    tc::config::parameter_origins origins;
    for (const parameter_override& change : changes) origins.add(change);
    const config_error located = origins.locate(error);
    if (located.position().line != 0) throw located;
    const config_error whole = place.error("");
    throw config_error(whole.source(), whole.position(), error.path(), error.message());
  }
}

std::string sweep_machines::text_of(const machine& machine) { return tc::config::compact_text(tc::config::to_json(machine)); }

std::vector<tc::config::parameter_row> sweep_machines::parameters_of(const machine& machine) {
  return tc::config::list_parameters(machine);
}

}  // namespace tcsim
