#pragma once

#include <cstdint>

namespace tc::isa {

/// The scheduling part of an instruction word: bits 105 to 121 of the 128-bit instruction (Jia et al., arXiv 1804.06826, section 2.1; the
/// reuse flags, bits 122 to 125, are kept with the operands they belong to).
struct control_code {
  static constexpr unsigned barriers = 6;  ///< dependence counters SB0 to SB5 of a warp
  static constexpr std::uint8_t no_barrier = 7;

  std::uint8_t wait_mask = 0;               ///< bit n: wait until SBn is zero
  std::uint8_t read_barrier = no_barrier;   ///< counter released when the operands have been read
  std::uint8_t write_barrier = no_barrier;  ///< counter released when the result has been written
  bool yield = false;                       ///< "Y": prefer another warp in the next cycle
  std::uint8_t stall_cycles = 0;            ///< cycles before this warp may issue again, 0 to 15
};

}  // namespace tc::isa
