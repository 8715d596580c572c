// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/isa/instruction.hpp>
#include <tc/subcore/operands/cycle_set.hpp>
#include <tc/subcore/operands/register_file.hpp>

namespace tc::subcore {

/// The register ports that a matrix instruction takes from those of fixed latency, in cycles from Allocate on: see port_reservation.
struct matrix_bookings {
  /// Registers of an operand that follow each other: one of each bank in a cycle.
  struct operand {
    cycle_set reads;              ///< of each bank
    cycle_set longer_reads;       ///< of a bank that has one more
    std::uint32_t with_more = 0;  ///< a bit for each of these banks

    const cycle_set& reads_of(unsigned bank) const { return (with_more >> bank & 1U) != 0 ? longer_reads : reads; }
  };
  std::array<operand, 3> reads{};  ///< A, B, C
  std::uint8_t reads_end = 0;      ///< of B
  std::uint8_t write_cycles = 0;
};

/// Those of an instruction in a warp whose registers begin in the bank `first_bank`; nothing for one that is none.
matrix_bookings matrix_bookings_of(const isa::instruction& code, unsigned first_bank, const register_mapping& mapping);

}  // namespace tc::subcore
