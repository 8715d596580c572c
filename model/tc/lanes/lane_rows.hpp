// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tc/isa/instruction.hpp>
#include <tc/lanes/lane_operations.hpp>

namespace tc::lanes {

// Forms of an instruction, its modifiers and operands, that the model computes. What is in none of them is undefined.

bool any_form(const isa::instruction& code);
/// Operands of 32 bits, none of them a part of a register.
bool word_form(const isa::instruction& code);
/// The same, and shifts of 64 bits.
bool shift_form(const isa::instruction& code);
/// R2UR without a predicate.
bool uniform_move_form(const isa::instruction& code);
/// Conversions between integers, f64, f32, f16 and bf16.
bool conversion_form(const isa::instruction& code);
/// F2I without .SAT.
bool integer_conversion_form(const isa::instruction& code);
/// Additions of 32 bits, and those of 64 bits that give no carry.
bool pair_form(const isa::instruction& code);
/// F2FP: two operands to f16 or bf16, or to 8-bit numbers beside a third operand; one operand; 8-bit numbers to f16 and back.
bool pack_form(const isa::instruction& code);

/// An opcode that the model computes lane by lane.
struct lane_row {
  isa::opcode op;
  lane_operation operation;
  lane_form form;  ///< those of its forms that `operation` computes
};

// The rows of the instruction set, each list in the file that holds its functions.
std::vector<lane_row> arithmetic_lane_operations();  ///< integer arithmetic, comparison, selection, moves
std::vector<lane_row> bit_lane_operations();         ///< logic, shifts, single bits and bytes
std::vector<lane_row> float_lane_operations();       ///< floating-point arithmetic
std::vector<lane_row> conversion_lane_operations();  ///< between number formats
std::vector<lane_row> comparison_lane_operations();  ///< comparison and selection of floating-point numbers
std::vector<lane_row> double_lane_operations();      ///< arithmetic of f64, rounding to integral numbers
std::vector<lane_row> packed_lane_operations();      ///< integer arithmetic on parts of words
std::vector<lane_row> special_function_lane_operations();

}  // namespace tc::lanes
