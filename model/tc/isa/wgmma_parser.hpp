// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/asynchronous_operation.hpp>
#include <tc/isa/ptx_statement.hpp>

namespace tc::isa {

/// Decodes wgmma.mma_async: its name, its registers, and its matrix descriptors. Throws syntax_error: no such shape or element types, a
/// descriptor or a list of registers that does not fit, an operand that these element types do not have.
wgmma_operation parse_wgmma(ptx_statement& statement);

}  // namespace tc::isa
