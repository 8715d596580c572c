// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include <tc/execution/kernel_fault.hpp>
#include <tc/importers/import_report.hpp>
#include <tc/importers/kernel_launch.hpp>
#include <tc/importers/nvdisasm_import.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/study/compressed_file.hpp>

#include "accelsim_import.hpp"
#include "atomic_file.hpp"
#include "commands.hpp"
#include "configuration.hpp"
#include "input_files.hpp"
#include "launch_files.hpp"
#include "launch_options.hpp"
#include "options.hpp"
#include "text_table.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

/// What an import took over and what it could not, for people: a line, then a table of the gaps if there are any.
std::string text_of(const tc::importers::import_report& report) {
  std::string text = counted(report.instructions(), "warp instruction") + " imported";
  if (report.gaps().empty()) return text + ", nothing left out\n";
  using align = text_table::align;
  text_table table({align::right, align::left, align::left, align::left});
  table.add({"count", "not imported", "in its place", "first at"});
  for (const auto& gap : report.gaps()) table.add({std::to_string(gap.count), gap.what, gap.stand_in, gap.example});
  return text + "; not imported:\n" + table.text(2);
}

/// What --arch names; nothing if it is not given.
std::optional<tc::isa::architecture> asked_architecture(const std::string& name) {
  if (name.empty()) return std::nullopt;
  const auto arch = tc::isa::find_architecture(name);
  if (!arch) throw usage_error(fmt::format("--arch {}: it must be one of {}", name, tc::isa::architecture_names()));
  return arch;
}

struct accelsim_options {
  accelsim_import_options import;
  std::string arch, output;
};

exit_status import_accelsim(const accelsim_options& options) {
  accelsim_import_options asked = options.import;
  asked.output = options.output;
  asked.arch = asked_architecture(options.arch);
  const accelsim_import_result result = import_accelsim(asked);
  std::cout << text_of(result.report);
  if (result.written) return exit_status::done;
  std::cerr << "tcsim: not all could be imported: with --strict nothing is written\n";
  return exit_status::check_failed;
}

/// `tcsim import accelsim`: traces of the Accel-Sim framework.
void add_accelsim_import_command(const cli_command& import_group, exit_status& status) {
  const auto command = import_group.add_subcommand("accelsim", "Make a trace of one that the tracer of Accel-Sim recorded: timing alone");
  const auto options = std::make_shared<accelsim_options>();
  command.add_option("SOURCE", options->import.source, "A kernel's trace (.traceg: text, .xz or .gz), or a kernelslist.g")
      .required()
      .type_name("");
  add_out_option(command, options->output,
                 "The trace to write, compressed if its name ends in .xz or .gz; of a list, a new folder with a trace of each kernel")
      .required();
  command.add_option("--arch", options->arch, "Take the opcodes for those of this architecture, as sm_86, and not of the trace's own")
      .type_name("ARCH");
  command.add_flag("--strict", options->import.strict, "Exit status 1, and nothing written, if anything of a kernel cannot be imported");
  command.footer(
      "Traces of versions 3 to 6 of the tracer are read. Values are not taken: `tcsim run` computes none and counts cycles. What they do "
      "not record, and what cannot be imported, is replaced as docs/traces.md says; the latter is listed with counts.\n\n"
      "Exit status: 0 done; 1 not all could be imported (--strict); 2 bad input or usage, nothing written.\n\n"
      "Example: tcsim import accelsim kernel-1.traceg.xz -o kernel-1.trace.xz && tcsim run kernel-1.trace.xz --config volta");
  command.callback([options, &status] { status = import_accelsim(*options); });
}

struct nvdisasm_import_options {
  std::string listing, kernel, arch, output;
  launch_options launch;
};

/// What a kernel does wrong is a wrong input here: its launch was made up.
tc::importers::import_report imported(const tc::listings::sass_kernel& kernel, const tc::importers::kernel_launch& launch,
                                      std::ostream& trace) {
  try {
    return tc::importers::import_nvdisasm(kernel, launch, trace);
  } catch (const tc::execution::kernel_fault& fault) {
    throw usage_error(fault.what());
  }
}

/// Writes all of the trace or, if anything in it cannot be imported, nothing.
exit_status import_nvdisasm(const nvdisasm_import_options& options) {
  note_input(options.listing);
  check_writable(options.output);
  const auto kernel =
      tc::listings::read_sass(options.listing, options.kernel, tc::listings::max_listed_instructions, asked_architecture(options.arch));
  auto launch = make_launch(options.launch, kernel, options.output);
  note_images(launch.header);
  if (const std::string name = configuration_for(kernel.arch); !name.empty())
    launch.arithmetic = load_configuration(name, {}).sm.sub_core.tensor_core.arithmetic;
  std::string summary, notes;
  write_atomically(options.output, [&](std::ostream& file) {
    tc::study::write_compressed(file, tc::study::compression_of(options.output), [&](std::ostream& packed) {
      const auto report = imported(kernel, launch, packed);
      summary = text_of(report);
      for (const std::string& note : report.notes()) notes += fmt::format("tcsim: note: {}\n", note);
      if (!report.gaps().empty())
        throw usage_error(
            fmt::format("{}: the trace of {} would lack instructions, and is not written\n{}", options.listing, kernel.name, summary));
    });
  });
  std::cerr << notes;
  const bool is_of_target = kernel.target.empty() || tc::isa::find_architecture(kernel.target) == kernel.arch;
  std::cout << kernel.name << " for " << tc::isa::name(kernel.arch) << (is_of_target ? "" : " (the listing is for " + kernel.target + ")")
            << ": " << summary;
  return exit_status::done;
}

/// `tcsim import nvdisasm`: traces of kernels whose machine code nvdisasm or cuobjdump listed.
void add_nvdisasm_import_command(const cli_command& import_group, exit_status& status) {
  const auto command = import_group.add_subcommand(
      "nvdisasm",
      "Make a trace of a kernel whose machine code nvdisasm -hex or cuobjdump -sass lists, with its control codes. The kernel is executed "
      "with the arguments and the memory that you give; masks, addresses and its way through the code must follow from these.");
  const auto options = std::make_shared<nvdisasm_import_options>();
  command.add_option("LISTING", options->listing, "What nvdisasm -hex or cuobjdump -sass wrote (text, .xz or .gz)")
      .required()
      .type_name("");
  command.add_option("--kernel", options->kernel, "The kernel, if the listing holds several").type_name("NAME");
  command
      .add_option("--arch", options->arch,
                  "Take the code for that of this architecture, as sm_86, and not of the listing's own; of several "
                  "kernels of one name, the one of this architecture")
      .type_name("ARCH");
  add_out_option(command, options->output, "The trace to write; .xz and .gz are compressed").required();
  add_launch_options(command, options->launch);
  command.footer(
      "Example: tcsim import nvdisasm traces/sm_75.micro_s8_s32_m16n16k16/kernel.hex.sass.xz -o micro.trace "
      "--arguments 0x10000,0x20000,0x30000,0x40000 --memory \"0x10000 256 file traces/sm_75.micro_s8_s32_m16n16k16/a.bin\" "
      "--memory \"0x20000 256 file traces/sm_75.micro_s8_s32_m16n16k16/b.bin\" --memory \"0x30000 1024 zero\" "
      "--memory \"0x40000 256 zero\"");
  command.callback([options, &status] { status = import_nvdisasm(*options); });
}

}  // namespace

void add_import_command(const cli_command& app, exit_status& status) {
  const auto import = app.add_subcommand("import", "Make traces of what other tools recorded");
  import.ask_for_subcommand();
  import.footer("Example: tcsim import accelsim kernel-1.traceg.xz -o kernel.trace.xz");
  add_accelsim_import_command(import, status);
  add_nvdisasm_import_command(import, status);
}

}  // namespace tcsim
