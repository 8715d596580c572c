// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// Small kernels of several kinds that check what they compute, to be disturbed.

namespace tc::device::test::victims {

/// For sm_75: two CTAs of four warps, which exchange values through shared memory and a barrier, and multiply in registers.
std::string register_kernel();
/// For sm_90: two warpgroups, whose operands come by bulk copies that an mbarrier counts, and whose results leave by one.
std::string warpgroup_kernel();
/// For sm_100: two pairs of CTAs, which allocate all of tensor memory, one after the other, store, shift, and commit to both.
std::string tensor_kernel();

}  // namespace tc::device::test::victims
