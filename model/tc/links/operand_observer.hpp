// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/fabric/clocked.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::links {

/// Who reads registers. It may have retired by the time its reads are told.
struct register_reader {
  std::uint64_t record = 0;  ///< id of the instruction's record
  unsigned warp_slot = 0;
};

/// Registers of one operand in one bank.
struct register_run {
  unsigned bank = 0;
  unsigned first = 0;      ///< number of the first register; the others follow in steps of the number of banks
  unsigned registers = 1;  ///< of 32 lanes
};

/// Who wants to know what an operand fetch decides. Everything is told in its cycle or ahead of it.
class operand_observer {
 public:
  virtual ~operand_observer() = default;

  /// Before anything else, from an operand fetch that books ports and tells of them: its transactions with the banks say nothing about
  /// time.
  virtual void ports_are_booked() = 0;

  /// The read port of a bank is given to an instruction from `begin` to before `end`.
  virtual void port_granted(const register_reader& reader, const register_run& read, cycle_t begin, cycle_t end) = 0;
  /// In this cycle an instruction finds no port of a bank for a register.
  virtual void port_missed(const register_reader& reader, unsigned bank, cycle_t cycle) = 0;
  /// In this cycle the stages behind issue stand still, because this instruction has not all that it needs.
  virtual void stands_still(const register_reader& reader, cycle_t cycle) = 0;

  /// An instruction that issues in the running cycle takes so many registers from the reuse cache.
  virtual void reused(const warp_instruction& instruction, unsigned registers) = 0;
};

}  // namespace tc::links
