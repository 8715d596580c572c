// SPDX-License-Identifier: Apache-2.0
#include "new_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <system_error>

#include <fmt/format.h>

#include "exit_status.hpp"
#include "standard_output.hpp"

namespace tcsim {

namespace {

[[noreturn]] void fail_to_make(const std::filesystem::path& path, const std::string& why) {
  throw usage_error(fmt::format("{}: cannot make this folder: {}", path.string(), why));
}

/// Without the slash at the end that a user may write.
std::filesystem::path without_slash(const std::filesystem::path& path) { return path.has_filename() ? path : path.parent_path(); }

}  // namespace

new_folder::new_folder(const std::filesystem::path& target) : target_(without_slash(target)) {
  if (is_standard_output(target_)) fail_to_make(target_, "stdout holds no folder; give it a name");
  std::error_code status;
  if (std::filesystem::exists(target_, status) &&
      !(std::filesystem::is_directory(target_, status) && std::filesystem::is_empty(target_, status)))
    fail_to_make(target_, "something is there already");
  std::string name = target_.string() + ".XXXXXX";
  if (mkdtemp(name.data()) == nullptr) fail_to_make(target_, std::strerror(errno));
  path_ = name;
}

new_folder::~new_folder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

void new_folder::take_name() {
  const mode_t hidden = umask(0);  // mkdtemp lets the owner alone in; a result is as any other folder
  umask(hidden);
  std::error_code status;
  if (chmod(path_.c_str(), 0777 & ~hidden) != 0) fail_to_make(target_, std::strerror(errno));
  std::filesystem::rename(path_, target_, status);
  if (status) fail_to_make(target_, status.message());
  path_.clear();
}

}  // namespace tcsim
