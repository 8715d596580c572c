// SPDX-License-Identifier: Apache-2.0
#include "data_folder.hpp"

#include <sys/auxv.h>
#include <system_error>

#include <tc/config/built_in_files.hpp>

namespace tcsim {

namespace {

namespace fs = std::filesystem;

/// Of this program; empty if unknown.
fs::path program_folder() {
  std::error_code unreadable;
  fs::path program = fs::read_symlink("/proc/self/exe", unreadable);
  // Where /proc is not mounted, the name by which the kernel was asked to start it (getauxval(3)).
  const auto* const name = reinterpret_cast<const char*>(getauxval(AT_EXECFN));  // NOLINT(performance-no-int-to-ptr)
  if (program.empty() && name != nullptr) program = fs::canonical(name, unreadable);
  return program.parent_path();
}

}  // namespace

std::optional<fs::path> data_folder() {
  const fs::path command_folder = program_folder();
  std::error_code unreadable;
  for (const char* const way : {"../share/tcsim", "../../.."}) {  // installed; build/PRESET/bin of a checkout
    const fs::path folder = (command_folder / way).lexically_normal();
    if (!command_folder.empty() && fs::is_directory(folder / "traces", unreadable)) return folder;
  }
  return std::nullopt;
}

fs::path find_trace(const fs::path& name) {
  if (tc::config::is_file(name)) return name;
  const std::optional<fs::path> data = data_folder();
  if (!data || name.is_absolute()) return name;
  for (const fs::path& candidate : {*data / name, *data / "traces" / name / "kernel.trace", *data / "traces" / name / "kernel.trace.xz"})
    if (tc::config::is_file(candidate)) return candidate;
  return name;
}

}  // namespace tcsim
