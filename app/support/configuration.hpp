// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tc/config/machine.hpp>

namespace tcsim {

/// A machine from what the user wrote after --config, a file, `-` for stdin, or the name of a built-in configuration, with the texts after
/// --set applied. A relative name of a file is taken from `folder`. Throws config_error, or usage_error if there is no such configuration.
tc::config::machine load_configuration(const std::string& file_or_name, const std::vector<std::string>& assignments,
                                       const std::filesystem::path& folder = {});

}  // namespace tcsim
