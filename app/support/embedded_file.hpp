// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace tcsim {

/// A text file that is compiled into the command (tc_embed_files).
struct embedded_file {
  std::string_view name;  ///< without its folder
  std::string_view text;
};

}  // namespace tcsim
