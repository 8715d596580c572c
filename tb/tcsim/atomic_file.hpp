#pragma once

#include <filesystem>
#include <string_view>

namespace tcsim {

/// Throws usage_error unless a file can be written at `path`: its folder must exist and be writable, and no folder may stand in its place.
/// Leaves nothing behind.
void check_writable(const std::filesystem::path& path);

/// Writes a file so that nobody ever sees half of it: into a temporary file beside it, which then takes its name. Throws usage_error.
void write_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace tcsim
