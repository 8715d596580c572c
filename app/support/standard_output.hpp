// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace tcsim {

/// Whether a file that a command writes is stdout: its name is `-`.
bool is_standard_output(const std::filesystem::path& file);

/// Leaves stdout to a result whose file is `-`: from now on, what std::cout is given for people goes to stderr. May be called again.
void reserve_standard_output();

}  // namespace tcsim
