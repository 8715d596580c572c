// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <tc/config/presets.hpp>
#include <tc/config/spelling.hpp>

namespace tcsim {

void add_set_option(const cli_command& command, std::vector<std::string>& assignments) {
  command.add_option("--set", assignments, "Change a parameter, as sm.sub_core.tensor_core.count=1; may be repeated")
      .type_name("PATH=VALUE")
      .repeatable();
}

void add_machine_options(const cli_command& command, std::string& configuration, std::vector<std::string>& assignments) {
  command.add_option("--config", configuration, "The machine: a JSON file, or the name of a built-in configuration")
      .required()
      .type_name("FILE|NAME");
  add_set_option(command, assignments);
}

void add_jobs_option(const cli_command& command, unsigned& processes) {
  constexpr unsigned most_processes = 1024;
  command
      .add_option("--jobs", processes,
                  "Simulate the SMs in so many processes at once, with the same result: of one kernel whose CTAs fit all at once, without "
                  "clusters or atomics, with global_memory.hierarchy.enabled=false")
      .type_name("N")
      .between(1U, most_processes)
      .capture_default_str();
}

std::string built_in_configurations() { return "Built-in configurations: " + tc::config::joined(tc::config::preset_names()) + "."; }

}  // namespace tcsim
