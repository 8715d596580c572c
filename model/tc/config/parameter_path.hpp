// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tc::config {

/// Paths name parameters in messages and on the command line: `tensor.threadgroups[1].units`, `latency[HMMA.1688.F32]`.
/// A key that is an identifier follows a dot; an index, or a key of any other shape, stands in brackets. The root has the empty path.

/// Path of the member or table entry `key` of the parameter at `path`.
std::string member_path(const std::string& path, std::string_view key);

/// Path of element `index` of the list at `path`.
std::string element_path(const std::string& path, std::size_t index);

/// The keys and indices of a path, from the root on. Throws config_error for a malformed path.
std::vector<std::string> split_path(const std::string& path);

}  // namespace tc::config
