// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/isa/ptx_statement.hpp>
#include <tc/isa/register_use.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>

namespace tc::isa {

/// Decodes tcgen05.ld and tcgen05.st. Throws syntax_error: a repetition that the shape does not have, a list of registers that does not
/// fit or is scattered over the register file, an offset of the second half where the shape has no halves.
tensor_access_operation parse_tensor_access(ptx_statement& statement);

/// The runs of consecutive registers in a list, RZ left out.
std::vector<register_use> register_runs(const std::vector<std::uint8_t>& registers);

/// Decodes an instruction on tensor memory. Throws syntax_error where the assembler refuses its form or an immediate; what its registers
/// held is judged when it runs.
tcgen05_operation parse_tcgen05(ptx_statement& statement);

}  // namespace tc::isa
