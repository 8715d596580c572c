// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/fabric/zeroed_allocator.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/links/register_position.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// When the registers of the warps of a sub-core get their pending values. It separates a consumer from its producer where no control code
/// does, and finds the consumers that a control code lets go too early.
class scoreboard {
 public:
  scoreboard(const links::operand_timing& operands, unsigned warp_slots);

  void clear(unsigned warp_slot);

  /// First cycle in which the warp may issue the instruction with every register it reads or writes settled; unknown_cycle if one waits for
  /// an instruction whose end is not known.
  cycle_t earliest_issue(const isa::instruction& code, unsigned warp_slot) const;

  /// Cycles by which an instruction issued in `issue` reads a register before its value; 0 if it does not. Sets `use` to the register.
  cycle_t reads_early(const isa::instruction& code, unsigned warp_slot, cycle_t issue, const isa::register_use*& use) const;

  /// An instruction issued: its results, and if operands wait its operands, are pending.
  void issued(const links::warp_instruction& instruction);

  /// An instruction retires; its results are visible from its `result` cycle on.
  void retired(const links::warp_instruction& instruction);

 private:
  struct register_result {
    cycle_t visible = 0;       ///< a consumer whose operands arrive then sees the value
    std::uint64_t writer = 0;  ///< id of the last instruction issued that writes it; `visible` is of that one
  };
  using warp_results = std::array<register_result, links::register_positions>;
  struct register_reads {
    cycle_t last = 0;      ///< the register may be overwritten from then on
    unsigned readers = 0;  ///< instructions in flight that read it at a time not known yet
  };
  using warp_reads = std::array<register_reads, links::register_positions>;

  static unsigned position(const isa::register_use& use) { return links::register_position(use.file, use.index); }
  void settle_results(const links::warp_instruction& instruction);
  static bool holds_until_retired(const links::warp_instruction& instruction, const isa::register_use& use);

  const links::operand_timing operands_;
  fabric::zeroed_vector<warp_results> results_;  ///< by warp slot
  fabric::zeroed_vector<warp_reads> reads_;      ///< by warp slot; of operands that wait
};

}  // namespace tc::subcore
