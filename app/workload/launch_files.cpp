// SPDX-License-Identifier: Apache-2.0
#include "launch_files.hpp"

#include <filesystem>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <tc/isa/architecture.hpp>
#include <tc/launches/launch_check.hpp>
#include <tc/launches/launch_code.hpp>
#include <tc/launches/launch_reader.hpp>

#include "exit_status.hpp"
#include "input_files.hpp"

namespace tcsim {

namespace {

/// The files of a packed launch are copies.
void note_launch(const std::string& path, const tc::launches::launch& launch) {
  if (launch.unpacked != nullptr) return note_input(path);
  note_input(launch.file);
  note_input(launch.code);
  for (const tc::launches::launch_allocation& each : launch.allocations) {
    if (const auto* const file = std::get_if<std::filesystem::path>(&each.before)) note_input(*file);
    if (each.after) note_input(*each.after);
  }
}

}  // namespace

launch_files read_launch_files(const std::string& path) {
  launch_files files;
  files.launch = tc::launches::read_launch(path);
  note_launch(path, files.launch);
  tc::launches::launch_code code = tc::launches::read_launch_code(files.launch);
  files.kernel = std::move(code.kernel);
  files.records = std::move(code.records);
  return files;
}

std::unique_ptr<tc::execution::timed_launch> open_launch(const std::string& path, const tc::config::machine& machine, bool with_values) {
  launch_files files = read_launch_files(path);
  const auto messages = tc::launches::differences(files.launch, files.kernel, files.records);
  if (!messages.empty()) throw usage_error(messages.front());
  return std::make_unique<tc::execution::timed_launch>(std::move(files.launch), std::move(files.kernel), machine, with_values);
}

std::string configuration_for(tc::isa::architecture arch) {
  using tc::isa::architecture;
  switch (arch) {
    case architecture::sm_70:
      return "volta";
    case architecture::sm_75:
      return "turing";
    case architecture::sm_80:
    case architecture::sm_86:
      return "ampere";
    case architecture::sm_89:
      return "ada";
    case architecture::sm_90:
      return "hopper";
    case architecture::sm_100:
      return "blackwell";
    default:
      return {};
  }
}

std::string configuration_for(const tc::listings::sass_kernel& kernel) {
  std::string name = configuration_for(kernel.arch);
  if (name.empty())
    throw usage_error(
        fmt::format("{}: no built-in configuration is for {}; say one with --config", kernel.file, tc::isa::name(kernel.arch)));
  return name;
}

}  // namespace tcsim
