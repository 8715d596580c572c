// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "listing.hpp"

namespace tc::silicon {

/// Cycles from one instruction to the next in a long row of one warp that repeats the given ones, without control codes. An instruction
/// that reads what it writes gives its latency; several that are independent of each other, the interval at which they start.
double cycles_per_instruction(const std::string& machine, const std::string& arch, const listing& instructions);

}  // namespace tc::silicon
