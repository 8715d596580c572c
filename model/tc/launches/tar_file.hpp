// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <iosfwd>

namespace tc::launches {

/// Writes the regular files of a folder and of those in it as a tape archive (ustar, POSIX.1-1988), by name, without owner and time: the
/// same files give the same bytes. Throws study::vector_error if a file cannot be read or its name does not fit, and what `to` throws.
void write_tar(std::ostream& to, const std::filesystem::path& folder);

/// Writes the files of a tape archive, which may be compressed, into a folder. Throws study::vector_error: it is none, is damaged or cut,
/// or holds what is no file in that folder.
void unpack_tar(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace tc::launches
