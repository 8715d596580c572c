// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

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
