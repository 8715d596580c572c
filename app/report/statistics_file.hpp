// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <boost/json.hpp>

namespace tcsim {

/// The statistics of a run, as `tcsim run --stats` writes them. Throws config_error if the file cannot be read or is no JSON, usage_error
/// if it is something else than such statistics.
boost::json::object read_statistics(const std::filesystem::path& file);

}  // namespace tcsim
