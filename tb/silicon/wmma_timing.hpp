// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/fabric/clocked.hpp>

#include "listing.hpp"

// A wmma on Volta as Raihan et al. timed it on a Titan V (ISPASS 2019, figure 9): a clock read after each HMMA.884 of its sets and steps.

namespace tc::silicon {

/// From the clock read before the first HMMA on to the last HMMA of the project's trace with sums "f32" or "f16".
listing volta_wmma_code(const std::string& sums);

/// The code up to its first 1, 2, 3, ... HMMAs, each followed by a clock read in the place of the next one. It writes the registers that
/// the next one, or the last itself, accumulates in: where no control code says so, it waits for what that would wait for.
std::vector<listing> probed(const listing& code);

/// Cycles after each HMMA of a wmma. Without control codes, structure and scoreboard alone decide.
std::vector<fabric::cycle_t> cycles_after_each_hmma(const listing& code, bool with_control_codes);

/// Cycles of eight wmma in a row, each adding to the sums of the one before, with so many warps on an SM.
fabric::cycle_t volta_chain_cycles(unsigned warps);

/// What the structure gives for one warp: to the first HMMA, eight times four sets of ten cycles, to the last result.
constexpr fabric::cycle_t volta_chain_alone = 8 + 8 * 4 * 10 + 6;

}  // namespace tc::silicon

// The sets of a wmma on Turing as Shin timed them on an RTX 2080 Ti (Yonsei University, 2020, table 2).

namespace tc::silicon {

/// Cycles after each of the four sets of a wmma, from a clock read right before the first. Precisions are "mixed", "f16" and "s8", tiles
/// such as "m16n16k16".
///
/// The control codes are an assumption, the same for every row: set i sets barrier i and stalls for 8 cycles (IMMA 4), a set that adds to
/// the sums of an earlier one waits for that one's barrier, and the clock read behind the last set waits for all.
std::vector<fabric::cycle_t> turing_set_cycles(const std::string& precision, const std::string& tile);

}  // namespace tc::silicon
