// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/config/machine.hpp>
#include <tc/trace/trace.hpp>

#include "memory_reference.hpp"

namespace tcsim::random_programs {

/// What the kernel of a trace leaves in global memory, which it finds as earlier ones left it, whatever the timing of the machine: the
/// steps of each warp are executed one after the other up to a barrier, on plain arrays. Warps must not race. Throws not_executed for what
/// programs do not hold, and if a warp waits for ever.
void execute(const tc::trace::trace& trace, const tc::config::machine& machine, global_bytes& global);

}  // namespace tcsim::random_programs
