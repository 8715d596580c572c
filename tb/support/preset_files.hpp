#pragma once

#include <vector>

#include "embedded_file.hpp"

namespace tcsim {

/// The configurations of configs/, by name.
const std::vector<embedded_file>& preset_files();

}  // namespace tcsim
