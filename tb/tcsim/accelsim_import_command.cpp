#include "accelsim_import_command.hpp"

#include <memory>
#include <string>

namespace tcsim {

namespace {

struct accelsim_import_options {
  std::string source, output;
};

exit_status import(const accelsim_import_options& options) {
  throw usage_error(options.source + ": Accel-Sim traces cannot be imported yet");
}

}  // namespace

void add_accelsim_import_command(CLI::App& import_group, exit_status& status) {
  auto* const command = import_group.add_subcommand("accelsim", "Make a trace of an Accel-Sim trace (.traceg) or of a kernelslist.g");
  const auto options = std::make_shared<accelsim_import_options>();
  command->add_option("SOURCE", options->source, "The .traceg file (text, .xz or .gz), or a kernelslist.g")->required()->type_name("");
  command->add_option("-o,--output", options->output, "The trace to write; of a kernelslist.g, a folder")->required()->type_name("PATH");
  command->callback([options, &status] { status = import(*options); });
}

}  // namespace tcsim
