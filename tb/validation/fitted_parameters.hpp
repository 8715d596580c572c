// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tc::validation {

/// A parameter that a configuration says was fitted to measurements of that generation.
struct fitted_parameter {
  std::string machine, name, value;
  std::string comment;  ///< what it is, and what it was fitted to
};

/// What the comments of configs/ call fitted, in the configurations that the report runs; what one carries over from another is left out.
std::vector<fitted_parameter> fitted_parameters(const std::filesystem::path& configurations);

}  // namespace tc::validation
