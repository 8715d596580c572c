// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/instruction.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/subcore/issue/warp_slot.hpp>

namespace tc::subcore {

inline bool arrives_at_barrier(const isa::instruction& code) { return isa::role_of(code.op) == isa::issue_role::arrives_at_barrier; }

/// When the control code of a warp's next instruction, barriers, and an instruction that holds the warp let it go, and for which of them it
/// waits longest. `stages`: those behind issue, in the cycle `now`.
links::availability wait_for_control(const warp_slot& slot, const links::standstill& stages, cycle_t now);

}  // namespace tc::subcore
