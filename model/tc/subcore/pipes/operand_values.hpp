// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/lanes/lane_operands.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::subcore {

/// The operands of an instruction as its lanes take them. They stay where they are.
lanes::lane_operands::source_list lane_sources_of(const links::warp_instruction& instruction);

/// An instruction that a lanes::warp_operation computes: its results are undefined where they come from undefined values.
void inherit_undefined_of_warp(links::warp_instruction& instruction);

}  // namespace tc::subcore
