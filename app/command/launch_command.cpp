// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tc/isa/architecture.hpp>
#include <tc/launches/launch_check.hpp>
#include <tc/launches/launch_code.hpp>
#include <tc/launches/launch_reader.hpp>
#include <tc/launches/tar_file.hpp>
#include <tc/study/compressed_file.hpp>

#include "atomic_file.hpp"
#include "commands.hpp"
#include "exit_status.hpp"
#include "kernel_list.hpp"
#include "launch_files.hpp"
#include "new_launch.hpp"
#include "options.hpp"
#include "text_table.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

using tc::launches::launch_allocation;

std::string extents_of(const tc::trace::dim3& extents) { return fmt::format("{} x {} x {}", extents.x, extents.y, extents.z); }

std::string hex_of(const std::vector<std::uint8_t>& bytes) {
  constexpr std::size_t most = 16;
  std::string text;
  for (std::size_t i = 0; i < bytes.size() && i < most; ++i) text += fmt::format("{:02x}", bytes[i]);
  return bytes.size() > most ? text + "..." : text;
}

std::string content_text(const launch_allocation& allocation) {
  std::string text = "zeros";
  if (const auto* file = std::get_if<std::filesystem::path>(&allocation.before)) text = file->filename().string();
  if (const auto* random = std::get_if<tc::launches::random_content>(&allocation.before))
    text = fmt::format("random {} seed {}", tc::isa::name(random->type), random->seed);
  if (std::holds_alternative<std::vector<std::uint8_t>>(allocation.before)) text = "bytes of launch.txt";
  if (allocation.after) text += ", then " + allocation.after->filename().string();
  if (allocation.tolerance)
    text += fmt::format(" within {} roundings of {}", allocation.tolerance->units, tc::isa::name(allocation.tolerance->type));
  return text;
}

void show_info(const std::string& path) {
  if (std::filesystem::is_regular_file(path) && tc::launches::is_cubin(path)) {
    std::cout << kernel_list(path);
    return;
  }
  const launch_files files = read_launch_files(path);
  const tc::launches::launch& launch = files.launch;
  using align = text_table::align;
  text_table table({align::left, align::left});
  table.add({"kernel", fmt::format("{} for {}, {}", launch.kernel, files.kernel.target.empty() ? "?" : files.kernel.target,
                                   counted(files.kernel.code.size(), "instruction"))});
  table.add({"grid", fmt::format("{} CTAs of {} threads, clusters of {}{}", extents_of(launch.grid), extents_of(launch.block),
                                 extents_of(launch.cluster), launch.is_cooperative ? ", cooperative" : "")});
  table.add({"per CTA", fmt::format("{} registers a thread, {} bytes of dynamic and {} of static shared memory", launch.registers,
                                    launch.dynamic_shared_bytes, launch.static_shared_bytes)});
  for (const auto& each : launch.parameters)
    table.add({fmt::format("parameter {}", each.offset), fmt::format("{}: {}", counted(each.bytes.size(), "byte"), hex_of(each.bytes))});
  for (const auto& each : launch.constants)
    table.add({fmt::format("constant {}", each.bank),
               fmt::format("{} at {:#x}: {}", counted(each.bytes.size(), "byte"), each.offset, hex_of(each.bytes))});
  for (const auto& each : launch.allocations)
    table.add({each.name.empty() ? "memory" : each.name,
               fmt::format("{:#x}, {}: {}", each.base, counted(each.bytes, "byte"), content_text(each))});
  std::cout << launch.file << ": format " << launch.version << "\n" << table.text(2);
}

void add_info_command(const cli_command& launch, exit_status& status) {
  const auto command = launch.add_subcommand(
      "info", "Show what a launch is: kernel, extents, parameters, memory; or what the kernels of a cubin need for one");
  const auto path = std::make_shared<std::string>();
  command.add_option("LAUNCH", *path, "The folder of a launch, a packed one, or a cubin").required().type_name("");
  command.footer("Example: tcsim launch info launches/vector_add");
  command.callback([path, &status] {
    show_info(*path);
    status = exit_status::done;
  });
}

/// True if launch and code agree.
bool check_one(const std::string& path) {
  const launch_files files = read_launch_files(path);
  const auto messages = tc::launches::differences(files.launch, files.kernel, files.records);
  for (const std::string& message : messages) std::cerr << "tcsim: " << message << '\n';
  if (messages.empty()) std::cout << files.launch.file << ": ok\n";
  return messages.empty();
}

/// Every launch is checked, also after one that is wrong.
exit_status check_all(const std::vector<std::string>& paths) {
  exit_status status = exit_status::done;
  for (const std::string& path : paths) {
    try {
      if (!check_one(path) && status == exit_status::done) status = exit_status::check_failed;
    } catch (const std::runtime_error& error) {  // of launch.txt, of the code, or of an archive
      std::cerr << "tcsim: " << error.what() << '\n';
      status = exit_status::bad_input;
    }
  }
  return status;
}

void add_check_command(const cli_command& launch, exit_status& status) {
  const auto command =
      launch.add_subcommand("check", "Compare launches with what their code says: registers, shared memory, parameters, threads");
  const auto paths = std::make_shared<std::vector<std::string>>();
  command.add_option("LAUNCH", *paths, "Folders of launches, or packed ones").required().type_name("");
  command.footer("Exit status: 0 they agree; 1 they differ; 2 a launch cannot be read.\n\nExample: tcsim launch check launches/*");
  command.callback([paths, &status] { status = check_all(*paths); });
}

/// What can be said of a launch, as in its launch.txt.
void add_new_options(const cli_command& command, new_launch_options& options) {
  const auto many = [&](const char* name, std::vector<std::string>& values, const char* meaning, const char* form) {
    command.add_option(name, values, meaning).type_name(form).repeatable();
  };
  command.add_option("--kernel", options.kernel, "The kernel, if the code holds several").type_name("NAME");
  command.add_option("--grid", options.grid, "CTAs").type_name("X[,Y[,Z]]").capture_default_str();
  command.add_option("--block", options.block, "Threads of a CTA; may be left out where the code says them").type_name("X[,Y[,Z]]");
  command.add_option("--cluster", options.cluster, "CTAs of a cluster; default: as the code says, or else 1").type_name("X[,Y[,Z]]");
  command.add_option("--shared", options.dynamic_shared_bytes, "Dynamic shared memory of a CTA, in bytes").type_name("BYTES");
  many("--parameter", options.parameters,
       "A parameter, in the kernel's order: u8 to u64, s8 to s64, f16, bf16, f32, f64, pointer and a value; struct and such members with "
       "commas between them; or hex and digits",
       "'TYPE VALUE'");
  many("--memory", options.memory, "An allocation: its address, its bytes, and zero, random TYPE seed N, file NAME or hex DIGITS",
       "'BASE BYTES CONTENT'");
  many("--global", options.globals, "A variable of the module, where it lies, and what it holds; left out: as the code says",
       "'NAME ADDRESS BYTES CONTENT'");
  many("--constant", options.constants, "Part of a constant bank: hex DIGITS or file NAME", "'BANK OFFSET BYTES CONTENT'");
  many("--tolerance", options.tolerances, "How far an allocation may be from what was recorded, in roundings", "'BASE TYPE N'");
  command.add_option("--local", options.local_bytes, "Local memory of a thread, in bytes").type_name("BYTES");
  command.add_option("--carveout", options.carveout_percent, "Share of the L1 cache for shared memory").type_name("PERCENT");
  command.add_flag("--cooperative", options.is_cooperative, "A cooperative launch, whose CTAs wait for each other");
}

void add_new_command(const cli_command& launch, exit_status& status) {
  const auto command = launch.add_subcommand(
      "new",
      "Make a launch from machine code, without a GPU: registers, static shared memory and the places of parameters are in the code");
  const auto options = std::make_shared<new_launch_options>();
  command.add_option("CODE", options->code, "A cubin, or what nvdisasm -hex or cuobjdump -sass wrote; each may be compressed (.xz or .gz)")
      .required()
      .type_name("");
  add_out_option(command, options->output, "The folder to make").required();
  add_new_options(command, *options);
  command.footer(
      "Example: tcsim launch new kernel.cubin -o add --grid 8 --block 128 --parameter 'pointer 0x10000' --parameter 'f32 1.5' "
      "--memory '0x10000 4096 random f32 seed 1'");
  command.callback([options, &status] {
    make_launch_folder(*options);
    status = exit_status::done;
  });
}

/// All files of a launch in one, which is read wherever a folder is.
void pack(const std::string& folder, const std::string& output) {
  const tc::launches::launch launch = tc::launches::read_launch(folder);
  if (launch.unpacked != nullptr) throw usage_error(folder + ": is packed already");
  write_atomically(output, [&](std::ostream& file) {
    tc::study::write_compressed(file, tc::study::compression_of(output),
                                [&](std::ostream& archive) { tc::launches::write_tar(archive, launch.folder); });
  });
}

void add_pack_command(const cli_command& launch, exit_status& status) {
  const auto command = launch.add_subcommand("pack", "Put a launch into one file, which all commands take in the place of its folder");
  struct pack_options {
    std::string folder, output;
  };
  const auto options = std::make_shared<pack_options>();
  command.add_option("LAUNCH", options->folder, "The folder of a launch").required().type_name("");
  add_out_option(command, options->output, "The file to write, a tape archive; compressed if its name ends in .xz or .gz").required();
  command.footer("Example: tcsim launch pack launches/vector_add -o vector_add.tar.xz && tcsim execute vector_add.tar.xz");
  command.callback([options, &status] {
    pack(options->folder, options->output);
    status = exit_status::done;
  });
}

}  // namespace

void add_launch_command(const cli_command& app, exit_status& status) {
  const auto launch = app.add_subcommand("launch", "Look at launches of kernels: machine code, arguments and memory");
  launch.ask_for_subcommand();
  launch.footer("Example: tcsim launch check launches/vector_add");
  add_info_command(launch, status);
  add_check_command(launch, status);
  add_new_command(launch, status);
  add_pack_command(launch, status);
}

}  // namespace tcsim
