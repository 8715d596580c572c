// SPDX-License-Identifier: Apache-2.0
#include "spread.hpp"

#include <algorithm>
#include <cstddef>

namespace tcsim {

spread spread_of(std::vector<std::uint64_t> values) {
  std::sort(values.begin(), values.end());
  const std::size_t last = values.size() - 1;
  return {values.front(), values[last / 4], values[last / 2], values[last - last / 4], values.back()};
}

}  // namespace tcsim
