// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <tc/trace/code_table.hpp>
#include <tc/trace/instruction_line.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::trace {

/// Decodes `[control] [@predicate] OPCODE operands`, which is all or part of parts.code, and checks it against the kernel, whose threads
/// have `registers` registers. A trace_error in the line of `in`.
code_entry decode_code(std::string_view code, const kernel_header& header, unsigned registers, const instruction_line& parts,
                       const text_cursor& in);

}  // namespace tc::trace
