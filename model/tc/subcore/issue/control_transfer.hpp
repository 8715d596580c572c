// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/config/branch_parameters.hpp>
#include <tc/fabric/clocked.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::subcore {

/// An instruction of control flow that a warp has issued.
struct control_instruction {
  const isa::instruction* code = nullptr;
  std::uint32_t pc = 0;
  std::uint32_t lanes = 0;       ///< that executed it together; of a trace, those in which its guard held
  bool lanes_are_known = false;  ///< of a warp that is executed: lanes and those of the next step are all that go together
};

/// By how many cycles the next instruction of the warp comes later than the stall count says. Which way lanes have gone is told by its pc
/// and its lanes.
fabric::cycle_t transfer_cycles(const config::branch_parameters& parameters, const control_instruction& from, const warp::warp_step& next);

}  // namespace tc::subcore
