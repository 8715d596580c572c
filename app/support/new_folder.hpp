// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace tcsim {

/// A folder that nobody sees half filled: it is made beside its place and takes its name in the end. Unless it does, it goes away with all
/// that is in it.
class new_folder {
 public:
  /// Throws usage_error if something other than an empty folder stands at `target`, or if no folder can be made there.
  explicit new_folder(const std::filesystem::path& target);
  ~new_folder();
  new_folder(const new_folder&) = delete;
  new_folder& operator=(const new_folder&) = delete;

  /// Where the files are written until then.
  const std::filesystem::path& path() const { return path_; }
  /// Throws usage_error.
  void take_name();

 private:
  std::filesystem::path target_, path_;
};

}  // namespace tcsim
