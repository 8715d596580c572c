// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "rtl_bench.hpp"

namespace rtl::test {

/// Operations of random bits, of numbers of similar size, which cancel and meet half way between two results, and of every pair of values
/// at the borders of the formats. The same for the same seed.
std::vector<operation> make_patterns(unsigned length, std::size_t count, unsigned seed = 1);

}  // namespace rtl::test
