// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tc/study/replay.hpp>

namespace tc::study {

/// An output that was not reproduced, as lines of text, each with `indent` blanks in front: which one it is, its operands in hexadecimal
/// and decimal, what was expected and what came out, and how the unit got there.
std::string text_of(const replay_mismatch& mismatch, const vector_header& header, const numerics::dot_product& unit, unsigned indent = 0);

}  // namespace tc::study
