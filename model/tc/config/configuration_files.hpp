// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include <tc/config/built_in_files.hpp>
#include <tc/config/json_document.hpp>

namespace tc::config {

/// A file and all it includes, in the order they are to be read: what a file includes comes before it, so that the file overrides it. A
/// file may begin with `"include": "other.json"`, or a list of files. Their paths are relative to the including file; where there is none,
/// the built-in file of that name is meant. Throws config_error for an unreadable or malformed file, for files that include each other,
/// and for more than a thousand of them.
std::vector<json_document> load_with_includes(const std::filesystem::path& file);
std::vector<json_document> load_with_includes(const built_in_file& file);

}  // namespace tc::config
