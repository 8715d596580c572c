// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "instruction_templates.hpp"
#include "random_program.hpp"

namespace tcsim::random_programs {

/// A program that breaks one rule, and what becomes of it.
struct broken_program {
  std::string text;
  std::string rule;     ///< what is wrong, for messages
  std::string outcome;  ///< outcome_of_reading, _of_access, _of_waiting, or the type of the report
};

inline constexpr const char* outcome_of_reading = "the trace is refused";
inline constexpr const char* outcome_of_access = "an access outside of memory";
inline constexpr const char* outcome_of_waiting = "the model is stuck";

/// Breaks a rule of a legal program.
broken_program break_program(const random_program& program, random_numbers& random);
/// Breaks a rule of a program on tensor memory.
broken_program break_tensor_program(const std::string& text, random_numbers& random);

}  // namespace tcsim::random_programs
