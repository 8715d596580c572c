// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/instruction.hpp>
#include <tc/trace/instruction_line.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::trace {

/// Checks that an instruction names no vector register beyond the kernel's `registers`. A trace_error at the register.
void check_registers(const isa::instruction& instruction, unsigned registers, const instruction_line& parts, const text_cursor& in);

}  // namespace tc::trace
