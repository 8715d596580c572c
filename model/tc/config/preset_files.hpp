#pragma once

#include <string_view>
#include <vector>

namespace tc::config {

/// A built-in configuration, as the library holds it.
struct preset_file {
  std::string_view name;  ///< of its file, without a folder
  std::string_view text;
};

/// The files of configs/.
const std::vector<preset_file>& preset_files();

}  // namespace tc::config
