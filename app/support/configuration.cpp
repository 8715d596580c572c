// SPDX-License-Identifier: Apache-2.0
#include "configuration.hpp"

#include <tc/config/presets.hpp>

#include "exit_status.hpp"

namespace tcsim {

tc::config::machine load_configuration(const std::string& file_or_name, const std::vector<std::string>& assignments,
                                       const std::filesystem::path& folder) {
  try {
    return tc::config::load_configuration(file_or_name, assignments, folder);
  } catch (const tc::config::unknown_configuration& error) {
    throw usage_error(error.what());
  }
}

}  // namespace tcsim
