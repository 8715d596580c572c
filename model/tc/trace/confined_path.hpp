// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace tc::trace {

// A file from elsewhere names others that belong to it. It must not make its reader open whatever else that person may read.

/// Whether a path, as it is written, leads out of the folder that it is relative to: an absolute one, or by `..`.
bool leaves_folder(const std::filesystem::path& named);

/// Whether the file that a path relative to `folder` leads to, which exists, lies outside of the folder: by a link.
bool is_linked_outside(const std::filesystem::path& folder, const std::filesystem::path& named);

}  // namespace tc::trace
