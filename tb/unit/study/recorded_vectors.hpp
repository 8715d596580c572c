// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace tc::study::test {

/// The recorded and simulated vector files: the complete set if it is there (environment variable TCSIM_SHARED, or beside the sources),
/// else the subset that comes with the sources. Prints which.
std::vector<std::filesystem::path> recorded_vectors();

/// The folder of the subset that comes with the sources.
std::filesystem::path vector_subset();

}  // namespace tc::study::test
