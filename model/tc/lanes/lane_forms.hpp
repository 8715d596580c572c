// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/instruction.hpp>

namespace tc::lanes {

// Forms of an instruction, its modifiers and operands, that the model computes. What is in none of them is undefined.

bool any_form(const isa::instruction& code);
/// Operands of 32 bits, none of them a part of a register.
bool word_form(const isa::instruction& code);
/// The same, and shifts of 64 bits.
bool shift_form(const isa::instruction& code);
/// FLO without .SH.
bool leading_one_form(const isa::instruction& code);
/// R2UR without a predicate.
bool uniform_move_form(const isa::instruction& code);
/// Conversions between integers, f64, f32, f16 and bf16.
bool conversion_form(const isa::instruction& code);
/// F2I without .SAT.
bool integer_conversion_form(const isa::instruction& code);
/// F2FP.PACK_AB of two operands.
bool pack_form(const isa::instruction& code);

}  // namespace tc::lanes
