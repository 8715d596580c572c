#include "import_command.hpp"

#include "accelsim_import_command.hpp"
#include "nvdisasm_import_command.hpp"
#include "options.hpp"

namespace tcsim {

void add_import_command(CLI::App& app, exit_status& status) {
  auto* const import = app.add_subcommand("import", "Make traces of what other tools recorded");
  ask_for_subcommand(*import);
  import->footer("Example: tcsim import accelsim kernel-1.traceg.xz -o kernel.trace.xz");
  add_accelsim_import_command(*import, status);
  add_nvdisasm_import_command(*import, status);
}

}  // namespace tcsim
