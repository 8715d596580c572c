// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/trace/code_table.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/step.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::trace {

/// Checks that mask and addresses of a step of a warp are those that its instruction can have, as reading a text does. `in`: the
/// instruction's text. Throws trace_error.
void check_step(const step& s, const code_entry& code, unsigned warp, const kernel_header& header, const text_cursor& in);

/// Whether of the steps of an instruction nothing is to be checked but that they have no addresses, and no lanes that their warp has not.
inline bool is_checked_at_a_glance(const code_entry& code) {
  return code.access.space == isa::memory_space::none && code.instruction.asynchronous == nullptr;
}

}  // namespace tc::trace
