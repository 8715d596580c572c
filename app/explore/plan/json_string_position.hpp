// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include <tc/config/config_error.hpp>

namespace tcsim {

/// Where a byte of a string's value stands in the JSON text: escapes take more bytes there. `place` is that of the string, or of the key
/// whose value it is; the text is known to be valid.
tc::config::text_position json_string_position(std::string_view text, tc::config::text_position place, std::size_t offset);

}  // namespace tcsim
