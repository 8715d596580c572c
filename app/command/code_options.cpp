// SPDX-License-Identifier: Apache-2.0
#include "code_options.hpp"

#include "configuration.hpp"

namespace tcsim {

void add_code_options(const cli_command& command, code_options& options) {
  const auto fixed =
      command.add_flag("--fixed-code", options.fixed, "Run the code made for --config without --set, instead of making it for the machine");
  command.add_option("--code-set", options.assignments, "--fixed-code: as --set, for the machine that code is made for; may be repeated")
      .type_name("PATH=VALUE")
      .repeatable()
      .needs(fixed);
}

std::unique_ptr<const tc::config::machine> code_machine(const code_options& options, const std::string& configuration) {
  if (!options.fixed) return nullptr;
  return std::make_unique<const tc::config::machine>(load_configuration(configuration, options.assignments));
}

}  // namespace tcsim
