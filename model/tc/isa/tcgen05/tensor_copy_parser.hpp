// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/ptx_statement.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>

namespace tc::isa {

/// Decodes tcgen05.cp. Throws syntax_error: a shape without the multicast that it needs or with one that it cannot have, half a
/// decompression.
tensor_copy_operation parse_tensor_copy(ptx_statement& statement);

/// Decodes tcgen05.shift. Throws syntax_error.
tensor_shift_operation parse_tensor_shift(ptx_statement& statement);

}  // namespace tc::isa
