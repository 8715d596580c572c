// SPDX-License-Identifier: Apache-2.0
#include "import_command.hpp"

#include "accelsim_import_command.hpp"
#include "nvdisasm_import_command.hpp"
#include "options.hpp"

namespace tcsim {

void add_import_command(const cli_command& app, exit_status& status) {
  const auto import = app.add_subcommand("import", "Make traces of what other tools recorded");
  import.ask_for_subcommand();
  import.footer("Example: tcsim import accelsim kernel-1.traceg.xz -o kernel.trace.xz");
  add_accelsim_import_command(import, status);
  add_nvdisasm_import_command(import, status);
}

}  // namespace tcsim
