// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/architecture.hpp>
#include <tc/isa/source_text.hpp>
#include <tc/kernels/wmma_instruction.hpp>

namespace tc::kernels {

/// Decodes the opcode of a WMMA instruction, which is all of `name`, into everything but the operands. Throws isa::syntax_error with what
/// the architecture has instead.
wmma_instruction parse_wmma_name(const isa::source_text& name, isa::architecture arch);

}  // namespace tc::kernels
