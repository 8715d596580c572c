// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

/// Reads the text form, without brackets: "B01----:R2:W3:Y:S04" waits for SB0 and SB1, releases SB2 after the read and SB3 after the write,
/// yields, and stalls 4 cycles. `column` is that of the first character. Throws syntax_error.
control_code parse_control(std::string_view text, unsigned column = 1);

/// The same text.
std::string text_of(const control_code& control);

}  // namespace tc::isa
