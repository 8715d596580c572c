// SPDX-License-Identifier: Apache-2.0
#include "accelsim_import_command.hpp"

#include <iostream>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "accelsim_import.hpp"
#include "import_report_text.hpp"

namespace tcsim {

namespace {

struct command_options {
  accelsim_import_options import;
  std::string arch;
};

exit_status import(const command_options& options) {
  accelsim_import_options asked = options.import;
  if (!options.arch.empty()) {
    asked.arch = tc::isa::find_architecture(options.arch);
    if (!asked.arch) throw usage_error(fmt::format("--arch {}: it must be one of {}", options.arch, tc::isa::architecture_names()));
  }
  const accelsim_import_result result = import_accelsim(asked);
  std::cout << text_of(result.report);
  if (result.written) return exit_status::done;
  std::cerr << "tcsim: not all could be imported: with --strict nothing is written\n";
  return exit_status::check_failed;
}

}  // namespace

void add_accelsim_import_command(const cli_command& import_group, exit_status& status) {
  const auto command = import_group.add_subcommand("accelsim", "Make a trace of one that the tracer of Accel-Sim recorded: timing alone");
  const auto options = std::make_shared<command_options>();
  command.add_option("SOURCE", options->import.source, "A kernel's trace (.traceg: text, .xz or .gz), or a kernelslist.g")
      .required()
      .type_name("");
  command
      .add_option("-o,--output", options->import.output,
                  "The trace to write, compressed if its name ends in .xz or .gz; of a list, a new folder with a trace of each kernel")
      .required()
      .type_name("PATH");
  command.add_option("--arch", options->arch, "Take the opcodes for those of this architecture, as sm_86, and not of the trace's own")
      .type_name("ARCH");
  command.add_flag("--strict", options->import.strict, "Exit status 1, and nothing written, if anything of a kernel cannot be imported");
  command.footer(
      "Traces of versions 3 to 5 of the tracer are read. They hold no values: `tcsim run` computes none and counts cycles. What they do\n"
      "not record, and what cannot be imported, is replaced as docs/traces.md says; the latter is listed with counts.\n\n"
      "Exit status: 0 done; 1 not all could be imported (--strict); 2 bad input or usage, nothing written.\n\n"
      "Example: tcsim import accelsim kernel-1.traceg.xz -o kernel-1.trace.xz && tcsim run kernel-1.trace.xz --config volta");
  command.callback([options, &status] { status = import(*options); });
}

}  // namespace tcsim
