// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/ptx_statement.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>

namespace tc::isa {

/// Decodes tcgen05.mma, mma.sp, mma.ws and mma.ws.sp. Throws syntax_error where the assembler refuses the form (PTX ISA, tcgen05.mma; the
/// verdicts are those of ptxas 13.0 for sm_100a): qualifiers that do not go together, operands that the form does not have.
tensor_mma_operation parse_tensor_mma(ptx_statement& statement);

}  // namespace tc::isa
