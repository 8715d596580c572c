// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "comparison.hpp"
#include "fitted_parameters.hpp"

namespace tc::validation {

/// The report as a Markdown document: a summary, the parameters that were fitted, and a table for each source.
std::string markdown_report(const std::vector<source>& sources, const std::vector<fitted_parameter>& parameters);

}  // namespace tc::validation
