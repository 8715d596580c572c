// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string_view>

namespace tcsim {

// The file `-` is stdout (standard_output.hpp) for those that write one from begin to end.

/// Throws usage_error unless a file can be written at `path`: its folder must exist and be writable, no folder may stand in its place, and
/// no file that the command reads (input_files.hpp); of the latter all functions here make sure.
/// Leaves nothing behind.
void check_writable(const std::filesystem::path& path);

/// Writes a file so that nobody ever sees half of it (tc::observe::output_file). Throws usage_error.
void write_atomically(const std::filesystem::path& path, std::string_view content);

/// The same for a file that is written piece by piece: what `write` puts into the stream. If it throws, no file is left behind.
void write_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

/// The same for a file that something else writes: `make` is given the name of a file beside it, which exists and is empty.
void make_atomically(const std::filesystem::path& path, const std::function<void(const std::filesystem::path&)>& make);

/// The same, but throws usage_error if there is a file already, also if another process makes it meanwhile.
void make_new_atomically(const std::filesystem::path& path, const std::function<void(const std::filesystem::path&)>& make);

}  // namespace tcsim
