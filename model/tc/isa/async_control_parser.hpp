// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/asynchronous_operation.hpp>
#include <tc/isa/ptx_statement.hpp>

namespace tc::isa {

/// Decodes the instructions of PTX that order or group asynchronous ones: wgmma.fence, .commit_group and .wait_group,
/// cp.async.bulk.commit_group and .wait_group, fence.proxy and fence.mbarrier_init. Throws syntax_error.
async_control_operation parse_async_control(ptx_statement& statement);

}  // namespace tc::isa
