// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>

namespace tc::test {

/// The folder of the shared recordings, whether it is there or not: that of the environment variable TCSIM_SHARED, else next to the
/// project.
inline std::filesystem::path shared_recordings() {
  const char* const named = std::getenv("TCSIM_SHARED");
  return named != nullptr ? std::filesystem::path(named) : std::filesystem::path(TC_SOURCE_DIR) / ".." / "shared";
}

}  // namespace tc::test
