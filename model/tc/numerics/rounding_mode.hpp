// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tc::numerics {

/// Which neighbour in the output format an exact number becomes.
enum class rounding_mode : std::uint8_t { toward_zero, to_nearest_even };

}  // namespace tc::numerics
