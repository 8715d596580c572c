#pragma once

#include <cstddef>
#include <string_view>

namespace tc::trace {

/// Offset of the first byte that is a control character or not part of well-formed UTF-8 (Unicode, table 3-7); text.size() if there is
/// none.
std::size_t find_unprintable(std::string_view text);

}  // namespace tc::trace
