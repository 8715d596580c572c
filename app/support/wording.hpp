// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace tcsim {

/// "1 warp", "2 warps".
inline std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// The same of a noun with a plural of its own.
inline std::string counted(std::uint64_t count, std::string_view noun, std::string_view plural) {
  return fmt::format("{} {}", count, count == 1 ? noun : plural);
}

}  // namespace tcsim
