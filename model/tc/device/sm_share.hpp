// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>

namespace tc::device {

/// SMs [begin, end) of a machine, which one of several processes simulates.
struct sm_share {
  std::size_t begin = 0, end = std::numeric_limits<std::size_t>::max();

  bool contains(std::size_t sm) const { return begin <= sm && sm < end; }
};

}  // namespace tc::device
