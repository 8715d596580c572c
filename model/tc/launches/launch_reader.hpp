// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <tc/launches/launch.hpp>

namespace tc::launches {

/// Reads the launch in a folder: its launch.txt, of format 1 or 2, and which files there are for it. `path` is the folder, the launch.txt
/// in it, or a tape archive of the folder, which may be compressed. Throws trace::trace_error with file, line and column for what cannot be
/// read or contradicts itself, study::vector_error for an archive that is damaged.
launch read_launch(const std::filesystem::path& path);

/// Whether a path is a launch's, as a trace's is not: a folder with a launch.txt, that file, or a tape archive by its name.
bool names_launch(const std::filesystem::path& path);

}  // namespace tc::launches
