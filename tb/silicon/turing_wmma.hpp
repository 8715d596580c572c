// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/fabric/clocked.hpp>

// The sets of a wmma on Turing as Shin timed them on an RTX 2080 Ti (Yonsei University, 2020, table 2).

namespace tc::silicon {

/// Cycles after each of the four sets of a wmma, from a clock read right before the first. Precisions are "mixed", "f16" and "s8", tiles
/// such as "m16n16k16".
///
/// The control codes are an assumption, the same for every row: set i sets barrier i and stalls for 8 cycles (IMMA 4), a set that adds to
/// the sums of an earlier one waits for that one's barrier, and the clock read behind the last set waits for all.
std::vector<fabric::cycle_t> turing_set_cycles(const std::string& precision, const std::string& tile);

}  // namespace tc::silicon
