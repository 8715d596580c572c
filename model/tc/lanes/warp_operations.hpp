// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/isa/instruction.hpp>
#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/lane_operations.hpp>

namespace tc::lanes {

/// What an instruction computes in each lane from the values of all lanes that execute it, those of the mask, of which there is one: SHFL,
/// VOTE, MATCH, REDUX, ELECT. It writes only what the instruction's destinations name.
using warp_operation = void (*)(const lane_operands& in, std::uint32_t mask, lane_result& out);

/// Null for an instruction that is none.
warp_operation find_warp_operation(const isa::instruction& code);

/// Lanes in which the result of such an instruction has no value, by those in which its operands have none.
std::uint32_t undefined_result(const isa::instruction& code, const lane_operands::source_list& sources, std::uint32_t mask,
                               const std::array<std::uint32_t, isa::instruction::max_sources>& undefined);

}  // namespace tc::lanes
