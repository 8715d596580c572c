// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/ptx_statement.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>

namespace tc::isa {

/// Decodes an instruction on tensor memory. Throws syntax_error where the assembler refuses its form or an immediate; what its registers
/// held is judged when it runs.
tcgen05_operation parse_tcgen05(ptx_statement& statement);

}  // namespace tc::isa
