// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/ptx_statement.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>

namespace tc::isa {

/// Decodes tcgen05.alloc, dealloc and relinquish_alloc_permit. Throws syntax_error.
tensor_allocation_operation parse_tensor_allocation(ptx_statement& statement);

}  // namespace tc::isa
