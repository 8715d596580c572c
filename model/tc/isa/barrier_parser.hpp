// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/asynchronous_operation.hpp>
#include <tc/isa/ptx_statement.hpp>

namespace tc::isa {

/// Decodes an mbarrier instruction of PTX. The state that an arrival returns may be named, a pair of registers or `_`; it is not kept,
/// because waits name the parity of a phase. Throws syntax_error.
barrier_operation parse_barrier(ptx_statement& statement);

}  // namespace tc::isa
