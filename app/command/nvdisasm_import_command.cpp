// SPDX-License-Identifier: Apache-2.0
#include "nvdisasm_import_command.hpp"

#include <iostream>
#include <memory>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include <tc/importers/nvdisasm_import.hpp>
#include <tc/study/compressed_file.hpp>

#include "atomic_file.hpp"
#include "import_report_text.hpp"
#include "launch_options.hpp"

namespace tcsim {

namespace {

struct nvdisasm_import_options {
  std::string listing, kernel, output;
  launch_options launch;
};

/// Writes all of the trace or, if anything in it cannot be imported, nothing.
exit_status import(const nvdisasm_import_options& options) {
  check_writable(options.output);
  const auto kernel = tc::importers::read_sass(options.listing, options.kernel);
  const auto launch = make_launch(options.launch, kernel, options.output);
  std::string summary;
  write_atomically(options.output, [&](std::ostream& file) {
    tc::study::write_compressed(file, tc::study::compression_of(options.output), [&](std::ostream& packed) {
      const auto report = tc::importers::import_nvdisasm(kernel, launch, packed);
      summary = text_of(report);
      if (!report.gaps().empty())
        throw usage_error(
            fmt::format("{}: the trace of {} would lack instructions, and is not written\n{}", options.listing, kernel.name, summary));
    });
  });
  std::cout << kernel.name << " for " << tc::isa::name(kernel.arch) << ": " << summary;
  return exit_status::done;
}

}  // namespace

void add_nvdisasm_import_command(const cli_command& import_group, exit_status& status) {
  const auto command = import_group.add_subcommand(
      "nvdisasm",
      "Make a trace of a kernel whose machine code nvdisasm -hex lists, with its control codes. The kernel must be straight-line code, or\n"
      "branch and loop by arguments and thread numbers alone; masks and addresses are computed from these.\n");
  const auto options = std::make_shared<nvdisasm_import_options>();
  command.add_option("LISTING", options->listing, "What nvdisasm -hex wrote (text, .xz or .gz)").required().type_name("");
  command.add_option("--kernel", options->kernel, "The kernel, if the listing holds several").type_name("NAME");
  command.add_option("-o,--output", options->output, "The trace to write; .xz and .gz are compressed").required().type_name("FILE");
  add_launch_options(command, options->launch);
  command.footer(
      "Example: tcsim import nvdisasm traces/sm_75.micro_s8_s32_m16n16k16/kernel.hex.sass.xz -o micro.trace "
      "--arguments 0x10000,0x20000,0x30000,0x40000 --memory \"0x10000 256 file traces/sm_75.micro_s8_s32_m16n16k16/a.bin\" "
      "--memory \"0x20000 256 file traces/sm_75.micro_s8_s32_m16n16k16/b.bin\" --memory \"0x30000 1024 zero\" "
      "--memory \"0x40000 256 zero\"");
  command.callback([options, &status] { status = import(*options); });
}

}  // namespace tcsim
