// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "result_store.hpp"

namespace tcsim {

/// How many different warnings are shown.
inline constexpr std::size_t few_warnings = 5, every_warning = std::numeric_limits<std::size_t>::max();

/// A line for each warning of the model, and for each note on the results.
std::string remarks_text(const result_store& store, std::size_t most_warnings = few_warnings);

}  // namespace tcsim
