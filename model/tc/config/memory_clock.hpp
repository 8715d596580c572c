// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/config/machine.hpp>

namespace tc::config {

// The L2 cache, address translation and DRAM have a clock of their own (global_memory.clock_mhz). A faster SM waits for them as long as
// before, which is more of its cycles.

/// How many cycles of the SMs a cycle of the memories takes.
double sm_cycles_of_memory_cycle(const machine& machine);

/// The machine as its SMs see it: memory cycles turned into cycles of the SMs, and memories of the SM clock. With equal clocks nothing
/// changes.
machine in_sm_cycles(machine machine);

}  // namespace tc::config
