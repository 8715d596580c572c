// SPDX-License-Identifier: Apache-2.0
#include "data_folder.hpp"

#include <algorithm>
#include <string>
#include <sys/auxv.h>
#include <system_error>
#include <vector>

#include <tc/config/built_in_files.hpp>
#include <tc/config/spelling.hpp>

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
    if (!command_folder.empty() && tc::config::is_folder(folder / "traces")) return folder;
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

std::string nearest_trace(const fs::path& name) {
  const std::optional<fs::path> data = data_folder();
  std::error_code unreadable;
  std::vector<std::string> names;
  if (data)
    for (const fs::directory_entry& entry : fs::directory_iterator(*data / "traces", unreadable)) names.push_back(entry.path().filename());
  for (const fs::directory_entry& entry : fs::directory_iterator(name.has_parent_path() ? name.parent_path() : ".", unreadable))
    if (!tc::config::is_folder(entry.path())) names.push_back((name.parent_path() / entry.path().filename()).string());
  std::sort(names.begin(), names.end());
  return tc::config::nearest_name(name.string(), names);
}

}  // namespace tcsim
