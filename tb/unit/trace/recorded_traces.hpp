// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace tc::trace::test {

/// The traces of the project and, where they are, the shared recordings.
std::vector<std::filesystem::path> recorded_traces();

}  // namespace tc::trace::test
