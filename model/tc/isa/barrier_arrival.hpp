// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/instruction.hpp>

namespace tc::isa {

/// What BAR asks of one of the barriers of its CTA (PTX ISA, barrier).
struct barrier_arrival {
  static constexpr unsigned barriers = 16, max_threads = 1024;

  unsigned barrier = 0;
  unsigned warps = 0;  ///< arrivals that open it; 0: one of each warp of the CTA that has not exited
  bool waits = true;   ///< until it opens; an arrival of BAR.ARV alone does not
};

/// The operands of BAR, null where it has none. The disassembler writes a register twice that holds both: the number in bits 3:0, the
/// threads from bit 16 on.
struct barrier_operands {
  const operand* number = nullptr;   ///< of the barrier; without one, 0
  const operand* threads = nullptr;  ///< that it waits for, whole warps

  bool have_registers() const;
};
barrier_operands barrier_operands_of(const instruction& bar);

/// Of a BAR whose operands are numbers.
barrier_arrival arrival_of(const instruction& bar);

}  // namespace tc::isa
