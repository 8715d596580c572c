// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/device/gpu.hpp>

namespace tcsim {

/// Runs a machine that has been made, its SMs in several processes: this one and copies of it, which end with the run. Gives what
/// one process gives. `pauses` may look at each process's share of the machine, and end it, or is null. Throws usage_error, with the name
/// of the option, if something couples the SMs, and what run_to_end() throws.
tc::accounting::run_result run_in_processes(tc::device::gpu& gpu, unsigned processes, tc::device::run_pauses* pauses = nullptr);

}  // namespace tcsim
