// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tc::isa {

/// Offset of the first byte that is not part of well-formed UTF-8 (Unicode, table 3-7); text.size() if there is none.
std::size_t find_malformed_utf8(std::string_view text);

/// Offset of the first byte that is a control character or not part of well-formed UTF-8; text.size() if there is none.
std::size_t find_unprintable(std::string_view text);

/// The text with a replacement character (U+FFFD) for each byte that is not part of well-formed UTF-8.
std::string to_utf8(std::string_view text);

}  // namespace tc::isa
