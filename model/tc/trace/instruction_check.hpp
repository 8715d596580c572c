// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/instruction.hpp>
#include <tc/trace/code_table.hpp>
#include <tc/trace/instruction_line.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/lanes.hpp>
#include <tc/trace/step.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::trace {

/// Checks that an instruction names no vector register beyond the kernel's `registers`. A trace_error at the register.
void check_registers(const isa::instruction& instruction, unsigned registers, const instruction_line& parts, const text_cursor& in);

/// Checks that an instruction for the asynchronous units stays in the CTA's shared memory and in global memory, and that the header has
/// the tensor map that it names. A trace_error at the instruction.
void check_asynchronous_operands(const isa::instruction& instruction, const kernel_header& header, const instruction_line& parts,
                                 const text_cursor& in);

/// Checks the lanes that execute such an instruction: all of a warp, whose warpgroup is complete, for wgmma; all of a warp for what is
/// .sync.aligned of tcgen05; one for copies, for what begins or ends an mbarrier object, and for tcgen05's mma, cp, shift and commit. A
/// trace_error at the mask.
void check_lanes(const isa::instruction& instruction, lane_mask mask, unsigned warp, const kernel_header& header,
                 const instruction_line& parts, const text_cursor& in);

/// Checks that an instruction that is .sync.aligned is executed by all lanes, or by none. A trace_error at the mask.
void check_aligned(lane_mask mask, const instruction_line& parts, const text_cursor& in);

/// Checks that mask and addresses of a step of a warp are those that its instruction can have, as reading a text does. `in`: the
/// instruction's text. Throws trace_error.
void check_step(const step& s, const code_entry& code, unsigned warp, const kernel_header& header, const text_cursor& in);

/// Whether of the steps of an instruction nothing is to be checked but that they have no addresses, and no lanes that their warp has not.
inline bool is_checked_at_a_glance(const code_entry& code) {
  return code.access.space == isa::memory_space::none && code.instruction.asynchronous == nullptr;
}

}  // namespace tc::trace
