// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace tcsim {

/// The right to write a results file, which one process at a time has. It ends with the process, however that ends. Readers need none.
class writer_lock {
 public:
  /// Throws usage_error if the file cannot be opened for writing, or another process has the right.
  explicit writer_lock(const std::filesystem::path& file);
  writer_lock(writer_lock&& other) noexcept;
  writer_lock& operator=(writer_lock&& other) noexcept;
  ~writer_lock();

 private:
  int descriptor_ = -1;
};

}  // namespace tcsim
