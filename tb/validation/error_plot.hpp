// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "comparison.hpp"

namespace tc::validation {

/// The errors of all timings as a picture: a row for each source, a circle for the values of about the same error, its area by how many
/// they are. A standalone SVG document.
std::string error_plot(const std::vector<source>& sources);

}  // namespace tc::validation
