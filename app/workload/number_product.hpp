// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tcsim {

/// Reads `count` positive numbers with an x between them, such as "128x64x32". Throws std::invalid_argument, which says what is expected
/// and shows the example.
std::vector<unsigned> read_number_product(const std::string& text, std::size_t count, const char* example);

}  // namespace tcsim
