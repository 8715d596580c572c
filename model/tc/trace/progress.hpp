// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace tc::trace {

/// Who is told how far reading a trace has come, in bytes of the file or whatever else it is counted in. It may throw, to end it.
using progress_listener = std::function<void(std::uint64_t done, std::uint64_t total)>;

}  // namespace tc::trace
