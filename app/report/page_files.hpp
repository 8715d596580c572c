// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "embedded_file.hpp"

namespace tcsim {

/// What pages are made of: the chart library, the files of page/ that all pages share, and those of sweep/
/// and run/.
const std::vector<embedded_file>& page_files();

}  // namespace tcsim
