// SPDX-License-Identifier: Apache-2.0
#include "matrix_bookings.hpp"

#include <algorithm>

namespace tc::subcore {

matrix_bookings matrix_bookings_of(const isa::instruction& code, unsigned first_bank, const register_mapping& mapping) {
  matrix_bookings bookings;
  if (!isa::is_mma(code.op)) return bookings;
  const isa::mma_operation& mma = *code.mma;
  const auto cycles = [&](unsigned registers) { return std::max(1U, registers / mapping.banks()); };
  const unsigned a = mma.a_registers(), b = mma.b_registers(), c = mma.c_registers(), phases = 2 * cycles(a);
  const auto book = [&](unsigned source, unsigned registers, unsigned begin) {
    const isa::operand& operand = code.sources[source];
    if (!operand.is_register(isa::register_file::vector) || operand.index == isa::zero_register) return;
    const unsigned of_each_bank = registers / mapping.banks();
    bookings.reads[source] = {cycle_set(begin, of_each_bank), cycle_set(begin, of_each_bank + 1), 0};
    for (unsigned i = 0; i < registers % mapping.banks(); ++i)
      bookings.reads[source].with_more |= std::uint32_t{1} << mapping.bank(first_bank, operand.index + i);
  };
  book(0, a, 1);
  book(1, b, phases + 1 - cycles(b));
  book(2, c, phases + 3 - cycles(c));
  bookings.reads_end = static_cast<std::uint8_t>(phases);
  bookings.write_cycles = static_cast<std::uint8_t>(cycles(c));
  return bookings;
}

}  // namespace tc::subcore
