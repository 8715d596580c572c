// SPDX-License-Identifier: Apache-2.0
#include "presets.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/config/built_in_files.hpp>
#include <tc/config/configuration_files.hpp>
#include <tc/config/machine_loader.hpp>
#include <tc/config/parameter_writer.hpp>
#include <tc/config/spelling.hpp>

namespace tc::config {

namespace {

bool is_machine(built_in_kind kind) {
  return kind == built_in_kind::machine || kind == built_in_kind::product || kind == built_in_kind::variant;
}

/// The machine with all that control codes do not rely on set to what `preset` has. They wait for memories by dependence counters, whatever
/// the clocks are.
machine without_names_and_values(machine changed, const machine& preset) {
  changed.name = preset.name;
  changed.architectures = preset.architectures;
  changed.clock_mhz = preset.clock_mhz;
  changed.sms = preset.sms;
  changed.energy = preset.energy;
  changed.jitter = preset.jitter;
  changed.global_memory.hierarchy.l2.bytes = preset.global_memory.hierarchy.l2.bytes;  // products of one die differ in it
  changed.global_memory.clock_mhz = preset.global_memory.clock_mhz;
  changed.global_memory.peak = preset.global_memory.peak;
  changed.sm.sub_core.issue.hazards = preset.sm.sub_core.issue.hazards;
  changed.sm.sub_core.tensor_core.arithmetic = preset.sm.sub_core.tensor_core.arithmetic;
  return changed;
}

}  // namespace

std::vector<std::string> preset_names() { return built_in_names(built_in_kind::machine); }

std::vector<std::string> product_names() { return built_in_names(built_in_kind::product); }

bool is_preset(std::string_view name) {
  const std::vector<std::string> names = preset_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<json_document> load_preset(std::string_view name) { return load_with_includes(*find_built_in(name)); }

machine make_preset(std::string_view name) { return make_machine(load_preset(name)); }

machine load_configuration(const std::string& file_or_preset, const std::vector<std::string>& assignments,
                           const std::filesystem::path& folder) {
  const auto file = folder / file_or_preset;
  if (is_file(file)) return load_machine(file, assignments);
  const built_in_file* const found = find_built_in(file_or_preset);
  if (found != nullptr && is_machine(kind_of(*found))) return make_machine(load_with_includes(*found), assignments);
  if (may_be_there(file)) return load_machine(file, assignments);
  const std::vector<std::string> products = product_names();
  std::vector<std::string> names = preset_names();
  names.insert(names.end(), products.begin(), products.end());
  const std::string nearest = nearest_name(file_or_preset, names);
  throw unknown_configuration(fmt::format("{}: there is no such file, nor a built-in configuration of this name{}; built in: {}",
                                          file_or_preset, nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest),
                                          joined(names)));
}

bool has_preset_timing(const machine& machine) {
  if (!is_preset(machine.name)) return false;
  const auto preset = make_preset(machine.name);
  return to_json(without_names_and_values(machine, preset)) == to_json(preset);
}

bool control_codes_fit(const machine& machine) {
  if (!has_preset_timing(machine)) return false;
  const std::vector<std::string> own = architectures_of_timing(machine);
  return std::all_of(machine.architectures.begin(), machine.architectures.end(),
                     [&own](const std::string& name) { return std::find(own.begin(), own.end(), name) != own.end(); });
}

std::vector<std::string> architectures_of_timing(const machine& machine) {
  return is_preset(machine.name) ? make_preset(machine.name).architectures : machine.architectures;
}

}  // namespace tc::config
