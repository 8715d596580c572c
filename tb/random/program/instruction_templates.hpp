// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <tensor_programs/random_numbers.hpp>

#include <tc/isa/architecture.hpp>

namespace tcsim::random_programs {

using tc::tensor_programs::random_numbers;

/// Registers of a file that programs use, from the first on.
inline constexpr unsigned used_registers = 64, used_uniform_registers = 16, used_predicates = 7;

/// "R12": the first of `count` neighbours that an instruction takes as one operand, and so aligned.
std::string random_registers(random_numbers& random, unsigned count);

/// Writes an instruction of a template. `{a|b}` is one of the texts between the bars, and a letter behind a percent sign an operand:
///
///   d, D  destination, and a pair      r, Q  register or RZ, and a pair    s  with a minus       n  with a tilde
///   R     register, number or constant f     number, perhaps negative      h  halves of it       i, b, x  numbers below 40, 2^8, 2^32
///   p, c  predicate set, and asked     u, v  uniform register set, read    q, w  uniform predicate set, asked
std::string expand_template(std::string_view text, random_numbers& random);

/// An instruction that computes in each lane, or in the uniform data path, of an architecture.
std::string random_lane_instruction(random_numbers& random, tc::isa::architecture arch);

}  // namespace tcsim::random_programs
