// SPDX-License-Identifier: Apache-2.0
#include "replay_configuration.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/config/machine_architectures.hpp>
#include <tc/config/presets.hpp>
#include <tc/config/spelling.hpp>
#include <tc/study/vector_origin.hpp>

#include "configuration.hpp"
#include "exit_status.hpp"

namespace tcsim {

namespace {

/// The built-in configuration of a generation: "ada" for "ada_lovelace".
std::string preset_of(std::string_view generation) { return std::string(generation.substr(0, generation.find('_'))); }

}  // namespace

const replay_configuration& replay_configurations::operator()(const std::string& file, const tc::study::vector_header& header) {
  if (!file_or_name_.empty()) return load(file_or_name_);
  const auto arch = tc::study::architecture_of_origin(header.origin);
  if (!arch) {
    throw usage_error(
        fmt::format("{}: \"{}\" is no generation or device that is known, so that --config must name the configuration; "
                    "generations: {}",
                    file, header.origin, tc::study::generation_names()));
  }
  const std::string preset = preset_of(tc::isa::info(*arch).generation);
  if (!tc::config::is_preset(preset)) {
    throw usage_error(fmt::format("{}: there is no built-in configuration for {}: name one with --config; built in: {}", file,
                                  tc::isa::name(*arch), tc::config::joined(tc::config::preset_names())));
  }
  return load(preset);
}

const replay_configuration& replay_configurations::load(const std::string& name) {
  const auto found = std::find_if(loaded_.begin(), loaded_.end(), [&](const replay_configuration& each) { return each.name == name; });
  if (found != loaded_.end()) return *found;
  return loaded_.emplace_back(replay_configuration{name, load_configuration(name, assignments_)});
}

std::string origin_warning(const std::string& file, const tc::study::vector_header& header, const replay_configuration& configuration) {
  const auto arch = tc::study::architecture_of_origin(header.origin);
  const auto& accepted = configuration.machine.architectures;
  if (!arch || accepted.empty()) return "";
  // A dot file names a generation, which may be several architectures.
  const bool any_of_generation =
      header.kind == tc::study::vector_kind::dots && std::any_of(accepted.begin(), accepted.end(), [&](const auto& name) {
        const auto each = tc::isa::find_architecture(name);
        return each && tc::isa::info(*each).generation == header.origin;
      });
  if (tc::config::runs_code_of(configuration.machine, *arch) || any_of_generation) return "";
  return fmt::format("{}: is from {} ({}), but the configuration {} is for {}", file, header.origin, tc::isa::name(*arch),
                     configuration.name, tc::config::joined(accepted));
}

}  // namespace tcsim
