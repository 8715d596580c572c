#include "options.hpp"

#include <tc/config/presets.hpp>
#include <tc/config/spelling.hpp>

#include "exit_status.hpp"

namespace tcsim {

void add_set_option(CLI::App& command, std::vector<std::string>& assignments) {
  command.add_option("--set", assignments, "Change a parameter, as sm.sub_core.tensor_core.count=1; may be repeated")
      ->type_name("PATH=VALUE")
      ->take_all()
      ->expected(1);
}

void add_machine_options(CLI::App& command, std::string& configuration, std::vector<std::string>& assignments) {
  command.add_option("--config", configuration, "The machine: a JSON file, or the name of a built-in configuration")
      ->required()
      ->type_name("FILE|NAME");
  add_set_option(command, assignments);
}

std::string built_in_configurations() { return "Built-in configurations: " + tc::config::joined(tc::config::preset_names()) + "."; }

void ask_for_subcommand(CLI::App& command) {
  command.require_subcommand(0, 1);
  command.final_callback([&command] {
    if (!command.get_subcommands().empty()) return;
    std::vector<std::string> names;
    for (const CLI::App* const known : command.get_subcommands([](const CLI::App*) { return true; })) names.push_back(known->get_name());
    throw usage_error("which subcommand of " + command.get_name() + "? There are " + tc::config::joined(names) + "; see --help");
  });
}

}  // namespace tcsim
