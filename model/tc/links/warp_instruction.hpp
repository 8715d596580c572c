// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/fabric/clocked.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/isa/matrix_shapes.hpp>
#include <tc/warp/lane_vector.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::links {

using fabric::cycle_t;

/// Where an undefined value came from.
struct value_origin {
  const isa::instruction* code = nullptr;  ///< the instruction that left it undefined; null: never written
  std::uint32_t line = 0;                  ///< its line of the trace
};

/// The registers of one source operand of an instruction in flight.
struct source_value {
  static constexpr unsigned max_registers = 16;

  std::uint8_t count = 0;                              ///< registers
  std::array<std::uint8_t, max_registers> position{};  ///< of each register in warp_instruction::operand_rows
  std::uint32_t predicate = 0;                         ///< of a predicate operand: bit per lane
  std::uint32_t undefined_lanes = 0;
  value_origin origin{};  ///< of the undefined lanes
};

/// A warp instruction on its way from issue to write-back: the transaction of the sub-core's instruction links (instruction_protocol). The
/// scheduler owns it, from issue to retirement; everyone else holds it only during a call, or while he is the one who works on it.
struct warp_instruction {
  static constexpr unsigned max_operand_registers = 48, max_result_registers = isa::max_accumulator_registers, max_stored_registers = 4;
  static constexpr unsigned stored_source = 1;  ///< operand of a store that it puts into memory: the one behind its address

  warp_instruction() = default;
  warp_instruction(const warp_instruction&) = delete;

  warp::warp_step step{};
  const warp::warp_context* warp = nullptr;
  std::uint64_t id = 0;      ///< counts the instructions that the sub-core issued
  std::uint64_t record = 0;  ///< id of its record; 0: none is kept

  // Time, in cycles of the SM clock.
  cycle_t issued = 0;         ///< left the scheduler
  cycle_t dispatch = 0;       ///< operands at the execution unit
  cycle_t operands_read = 0;  ///< source registers may be overwritten; releases the read barrier
  cycle_t result = 0;         ///< a consumer dispatched in this cycle sees the result; 0 as long as it is not known
  // Both set at issue for an instruction of fixed latency, when they are known for others.

  cycle_t lower_half_lead = 0;  ///< cycles by which the lower register of a 64-bit result is visible before `result`

  // What of this was known when the instruction left the scheduler; what was not is settled when it retires.
  cycle_t promised_result = 0;  ///< `result` then
  bool operands_read_known = true;

  // Operand values, gathered by the operand fetch: what is brought here, and where each is, which may be a row of a register bank. That one
  // holds it during the call that hands the operands over.
  std::array<warp::lane_vector, max_operand_registers> operand_registers;
  std::array<const warp::lane_vector*, max_operand_registers> operand_rows;
  std::array<source_value, isa::instruction::max_sources> sources{};
  /// Of the registers that a store puts into memory, one by one; meaningful only if source_value::undefined_lanes of them all is not 0.
  std::array<std::uint32_t, max_stored_registers> undefined_stored_lanes{};
  /// Of a copy from global to shared memory (LDGSTS): where each lane puts its bytes, which registers alone tell, and the lanes of which
  /// they do not.
  std::array<std::uint32_t, warp::lanes_per_warp> copy_addresses{};
  std::uint32_t unknown_copy_lanes = 0;

  // Results, computed by the execution unit.
  std::array<warp::lane_vector, max_result_registers> result_registers;
  std::array<std::uint32_t, isa::instruction::max_destinations> result_predicates{};  ///< bit per lane, by destination operand
  std::uint32_t undefined_lanes = 0;                                                  ///< of the results
  value_origin origin{};

  const isa::instruction& code() const { return *step.code; }
  bool result_known() const { return promised_result != 0; }
  /// When register `number` of a result of `registers` registers is visible, if all of it is in the cycle `all`.
  cycle_t visible(unsigned number, unsigned registers, cycle_t all) const {
    return number == 0 && registers > 1 ? all - lower_half_lead : all;
  }
  /// Register `i` of source operand `s`.
  const warp::lane_vector& operand(unsigned s, unsigned i) const { return *operand_rows[sources[s].position[i]]; }
  /// Where whoever brings its value puts it.
  warp::lane_vector& room_for_operand(unsigned s, unsigned i) { return room_at(sources[s].position[i]); }
  warp::lane_vector& room_at(unsigned position) {
    operand_rows[position] = &operand_registers[position];
    return operand_registers[position];
  }
  /// Copies the operands that are not here, for a unit that needs them after the call that hands them over.
  void keep_operands() {
    for (unsigned s = 0; s < step.code->source_count; ++s) {
      for (unsigned i = 0; i < sources[s].count; ++i) {
        const warp::lane_vector& row = operand(s, i);
        if (&row != &operand_registers[sources[s].position[i]]) room_for_operand(s, i) = row;
      }
    }
  }
};

}  // namespace tc::links
