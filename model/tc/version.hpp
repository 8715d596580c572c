// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// The version of tcsim, which CMake takes from these three lines. Versions follow https://semver.org; docs/embedding.md says what they
/// promise.
#define TC_VERSION_MAJOR 0
#define TC_VERSION_MINOR 1
#define TC_VERSION_PATCH 0

/// True from a version on, for conditions of the preprocessor.
#define TC_VERSION_AT_LEAST(major, minor, patch) \
  (TC_VERSION_MAJOR > (major) ||                 \
   (TC_VERSION_MAJOR == (major) && (TC_VERSION_MINOR > (minor) || (TC_VERSION_MINOR == (minor) && TC_VERSION_PATCH >= (patch)))))

#define TC_VERSION_TEXT_OF(number) #number
#define TC_VERSION_TEXT(major, minor, patch) TC_VERSION_TEXT_OF(major) "." TC_VERSION_TEXT_OF(minor) "." TC_VERSION_TEXT_OF(patch)
#define TC_VERSION_STRING TC_VERSION_TEXT(TC_VERSION_MAJOR, TC_VERSION_MINOR, TC_VERSION_PATCH)

namespace tc {

inline constexpr int version_major = TC_VERSION_MAJOR;
inline constexpr int version_minor = TC_VERSION_MINOR;
inline constexpr int version_patch = TC_VERSION_PATCH;
inline constexpr std::string_view version = TC_VERSION_STRING;

}  // namespace tc
