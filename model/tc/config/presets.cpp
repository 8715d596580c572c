// SPDX-License-Identifier: Apache-2.0
#include "presets.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/config/machine_loader.hpp>
#include <tc/config/parameter_writer.hpp>
#include <tc/config/preset_files.hpp>
#include <tc/config/spelling.hpp>

namespace tc::config {

namespace {

constexpr std::string_view suffix = ".json";

std::string_view name_of(const preset_file& preset) { return preset.name.substr(0, preset.name.size() - suffix.size()); }

const preset_file* find(std::string_view name) {
  const auto& all = preset_files();
  const auto found = std::find_if(all.begin(), all.end(), [&](const preset_file& preset) { return name_of(preset) == name; });
  return found == all.end() ? nullptr : &*found;
}

/// Appends a preset after the preset that it includes.
void append(std::string_view name, std::vector<json_document>& documents) {
  const std::string file = std::string(name).append(suffix);
  const preset_file* const preset = find(name);
  if (preset == nullptr) throw config_error("", "there is no built-in configuration \"" + file + "\"");
  auto document = json_document::parse(preset->text, "built-in " + file);
  const boost::json::value included = document.take("include");
  if (included.is_string()) {
    std::string_view other(included.get_string().data(), included.get_string().size());
    append(other.substr(0, other.find(suffix)), documents);
  }
  documents.push_back(std::move(document));
}

/// The machine with all that does not touch cycles set to what `preset` has.
machine without_names_and_values(machine changed, const machine& preset) {
  changed.name = preset.name;
  changed.architectures = preset.architectures;
  changed.clock_mhz = preset.clock_mhz;
  changed.sms = preset.sms;
  changed.energy = preset.energy;
  changed.sm.sub_core.issue.hazards = preset.sm.sub_core.issue.hazards;
  changed.sm.sub_core.tensor_core.arithmetic = preset.sm.sub_core.tensor_core.arithmetic;
  return changed;
}

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const preset_file& preset : preset_files()) names.emplace_back(name_of(preset));
  std::sort(names.begin(), names.end());
  return names;
}

bool is_preset(std::string_view name) { return find(name) != nullptr; }

std::vector<json_document> load_preset(std::string_view name) {
  std::vector<json_document> documents;
  append(name, documents);
  return documents;
}

machine make_preset(std::string_view name) { return make_machine(load_preset(name)); }

machine load_configuration(const std::string& file_or_preset, const std::vector<std::string>& assignments,
                           const std::filesystem::path& folder) {
  if (const auto file = folder / file_or_preset; std::filesystem::exists(file)) return load_machine(file, assignments);
  if (is_preset(file_or_preset)) return make_machine(load_preset(file_or_preset), assignments);
  const std::string nearest = nearest_name(file_or_preset, preset_names());
  throw unknown_configuration(fmt::format("{}: there is no such file, nor a built-in configuration of this name{}; built in: {}",
                                          file_or_preset, nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest),
                                          joined(preset_names())));
}

bool has_preset_timing(const machine& machine) {
  if (!is_preset(machine.name)) return false;
  const auto preset = make_preset(machine.name);
  return to_json(without_names_and_values(machine, preset)) == to_json(preset);
}

}  // namespace tc::config
