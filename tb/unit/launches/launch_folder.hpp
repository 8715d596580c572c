// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <scratch_folder.hpp>
#include <string>

namespace tc::test {

/// A launch that a test writes.
class launch_folder {
 public:
  explicit launch_folder(const std::string& text) {
    file("launch.txt", text);
    file("code.sass", "");
  }

  void file(const std::string& name, const std::string& content) const {
    std::ofstream(folder_.path() / name, std::ios::binary) << content;
  }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  scratch_folder folder_;
};

}  // namespace tc::test
