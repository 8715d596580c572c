// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/accounting/run_result.hpp>
#include <tc/device/gpu.hpp>
#include <tc/parallel/share_result.hpp>

namespace tc::parallel {

// Of a run that several processes share: each simulates some SMs of the whole machine, and one puts together what they give.

/// Why the SMs of a GPU cannot be simulated apart from each other, and what would help; empty: they can.
std::string coupling(const device::gpu& gpu);

/// Runs as gpu::run() does, but starts only the CTAs of some SMs, and compares nothing with what traces expect.
share_result run_share(device::gpu& gpu, const device::sm_share& share, device::run_pauses* pauses = nullptr);

/// What shares of the run give together: this process's own, and then those of the others. Afterwards statistics and global memory are
/// those of the whole run too. Throws run_error if CTAs of one share have read a byte that those of another have written, or if they have
/// written different values to it.
accounting::run_result join(device::gpu& gpu, share_result own, const std::vector<share_result>& others);

}  // namespace tc::parallel
