// SPDX-License-Identifier: Apache-2.0
#include "warp_selection.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tc::subcore {

std::size_t warp_selection::checked(std::size_t chosen, const std::vector<std::size_t>& ready) {
  if (std::find(ready.begin(), ready.end(), chosen) == ready.end())
    throw std::logic_error("the warp policy chose slot " + std::to_string(chosen) + ", which is no candidate");
  return chosen;
}

}  // namespace tc::subcore
