// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tc/isa/architecture.hpp>
#include <tc/launches/code_records.hpp>
#include <tc/launches/launch_check.hpp>
#include <tc/trace/trace_error.hpp>

#include "commands.hpp"
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
  const auto command = launch.add_subcommand("info", "Show what a launch is: kernel, extents, parameters, memory");
  const auto path = std::make_shared<std::string>();
  command.add_option("LAUNCH", *path, "The folder of a launch").required().type_name("");
  command.footer("Example: tcsim launch info launches/vector_add");
  command.callback([path, &status] {
    show_info(*path);
    status = exit_status::done;
  });
}

/// True if launch and code agree.
bool check_one(const std::string& path) {
  const launch_files files = read_launch_files(path);
  const auto records = tc::launches::read_code_records(files.launch.code, files.launch.kernel);
  const auto messages = tc::launches::differences(files.launch, files.kernel, records);
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
    } catch (const tc::trace::trace_error& error) {
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
  command.add_option("LAUNCH", *paths, "Folders of launches").required().type_name("");
  command.footer("Exit status: 0 they agree; 1 they differ; 2 a launch cannot be read.\n\nExample: tcsim launch check launches/*");
  command.callback([paths, &status] { status = check_all(*paths); });
}

void add_new_command(const cli_command& launch, exit_status& status) {
  const auto command = launch.add_subcommand(
      "new", "Make a launch from a listing, without a GPU: registers, static shared memory and the places of parameters are in the code");
  const auto options = std::make_shared<new_launch_options>();
  command.add_option("LISTING", options->listing, "What nvdisasm -hex or cuobjdump -sass wrote (text, .xz or .gz)")
      .required()
      .type_name("");
  add_out_option(command, options->output, "The folder to make").required();
  command.add_option("--kernel", options->kernel, "The kernel, if the listing holds several").type_name("NAME");
  command.add_option("--grid", options->grid, "CTAs").type_name("X[,Y[,Z]]").capture_default_str();
  command.add_option("--block", options->block, "Threads of a CTA").type_name("X[,Y[,Z]]").required();
  command.add_option("--cluster", options->cluster, "CTAs of a cluster").type_name("X[,Y[,Z]]").capture_default_str();
  command.add_option("--shared", options->dynamic_shared_bytes, "Dynamic shared memory of a CTA, in bytes").type_name("BYTES");
  command
      .add_option("--parameter", options->parameters,
                  "A parameter, in the kernel's order: u8 to u64, s8 to s64, f16, bf16, f32, f64, pointer and a value, or hex and digits")
      .type_name("'TYPE VALUE'")
      .repeatable();
  command
      .add_option("--memory", options->memory,
                  "An allocation: its address, its bytes, and zero, random TYPE seed N, file NAME or hex DIGITS")
      .type_name("'BASE BYTES CONTENT'")
      .repeatable();
  command.footer(
      "Example: tcsim launch new kernel.sass -o add --grid 8 --block 128 --parameter 'pointer 0x10000' --parameter 'f32 1.5' "
      "--memory '0x10000 4096 random f32 seed 1'");
  command.callback([options, &status] {
    make_launch_folder(*options);
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
}

}  // namespace tcsim
