// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/isa/instruction.hpp>
#include <tc/warp/lane_vector.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::lanes {

/// The value of one source operand as the data path delivers it, before the operand's own negation, inversion or absolute value.
/// Immediates, constants and uniform registers arrive broadcast to all lanes.
struct lane_source {
  const warp::lane_vector* low = nullptr;   ///< the register, or the lower one of a pair; null for a predicate
  const warp::lane_vector* high = nullptr;  ///< the upper register of a pair
  std::uint32_t predicate = 0;              ///< bit per lane, for a predicate operand
};

/// What an instruction computes in every lane. Lanes outside its mask keep the old content of the destination.
struct lane_result {
  std::array<warp::lane_vector, 4> registers{};                                ///< of the vector or uniform destination (uniform: lane 0)
  std::array<std::uint32_t, isa::instruction::max_destinations> predicates{};  ///< bit per lane, by destination operand
};

class lane_operands;

/// What an opcode computes over all lanes: results from the operands (lane_operands.hpp). It writes only what the instruction's
/// destinations name.
using lane_operation = void (*)(const lane_operands& in, lane_result& out);
/// Whether an operation computes a form of its opcode: modifiers, number and kinds of operands (lane_rows.hpp).
using lane_form = bool (*)(const isa::instruction& code);

/// Gives an opcode of isa::add_opcode(), or one that the model does not compute yet, what it computes; before the first run, and not while
/// another thread runs one. Throws std::invalid_argument if it has an operation, has no row, or goes to a unit that does not compute lane
/// by lane, or if an argument is null.
void add_lane_operation(isa::opcode op, lane_operation operation, lane_form form);

/// Whether some form of an opcode is computed lane by lane.
bool has_lane_operation(isa::opcode op);

/// True if execute_lanes() computes the instruction; the destinations of any other are undefined.
bool computes_lanes(const isa::instruction& code);

/// What execute_lanes() computes an instruction with, for who executes it often; null if it does not.
lane_operation find_lane_operation(const isa::instruction& code);

/// Integer, logic, move, selection and predicate instructions, uniform ones included, floating-point arithmetic and conversions, over all
/// lanes. Other instructions must not come here.
void execute_lanes(const isa::instruction& code, const std::array<lane_source, isa::instruction::max_sources>& sources,
                   lane_result& result);

/// Content of a special register (S2R, S2UR, CS2R) in every lane; `clock` is the cycle at which the instruction reads it. False if it is
/// not modelled.
bool read_special_register(std::uint8_t special_register, const warp::warp_context& warp, std::uint64_t clock, warp::lane_vector& low,
                           warp::lane_vector& high);

}  // namespace tc::lanes
