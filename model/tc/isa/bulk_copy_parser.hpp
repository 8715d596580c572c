// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/asynchronous_operation.hpp>
#include <tc/isa/ptx_statement.hpp>

namespace tc::isa {

/// Decodes cp.async.bulk and cp.async.bulk.tensor between global memory and the CTA's shared memory. Copies to other CTAs of a cluster
/// are refused, because their shared memory is not modelled. Throws syntax_error.
bulk_copy_operation parse_bulk_copy(ptx_statement& statement);

}  // namespace tc::isa
