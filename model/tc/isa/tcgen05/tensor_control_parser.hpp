// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/ptx_statement.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>

namespace tc::isa {

// What waits for instructions on tensor memory, or orders them. All throw syntax_error.

/// Decodes tcgen05.wait::ld and tcgen05.wait::st.
tensor_wait_operation parse_tensor_wait(ptx_statement& statement);

/// Decodes tcgen05.commit.
tensor_commit_operation parse_tensor_commit(ptx_statement& statement);

/// Decodes tcgen05.fence::before_thread_sync and tcgen05.fence::after_thread_sync.
tensor_fence_operation parse_tensor_fence(ptx_statement& statement);

}  // namespace tc::isa
