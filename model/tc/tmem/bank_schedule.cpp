// SPDX-License-Identifier: Apache-2.0
#include "bank_schedule.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tc::tmem {

namespace {

using config::tensor_bank_organisation;
using isa::tensor_access_shape;

constexpr unsigned most_banks = 8;
constexpr unsigned period = 8;  // columns this far apart are in the same bank, in all organisations
constexpr unsigned shapes = 5, repetitions = 8;
constexpr unsigned half_warp = 16, warp = 32;

unsigned banks_of(tensor_bank_organisation organisation) {
  switch (organisation) {
    case tensor_bank_organisation::banks_8x64:
      return 8;
    case tensor_bank_organisation::banks_4x128:
      return 4;
    case tensor_bank_organisation::sectors_of_2:
      return 1;
  }
  return 1;
}

bool is_left(const column_set& columns) { return columns.members != 0; }

void add(column_set& columns, unsigned column) { columns.members |= std::uint32_t{1} << (column - columns.first); }

unsigned log2_of(unsigned power) {
  unsigned exponent = 0;
  while (power >> exponent > 1) ++exponent;
  return exponent;
}

std::size_t index_of(const isa::tensor_access& access) {
  const std::size_t form = static_cast<std::size_t>(access.shape) * 2 + (access.packed ? 1 : 0);
  return (form * repetitions + log2_of(access.repeat)) * period + access.address.column % period;
}

}  // namespace

std::vector<column_set> columns_by_register(const isa::tensor_access& access) {
  const unsigned threads = access.shape == tensor_access_shape::lanes16_bits32x2 ? half_warp : warp;
  std::vector<column_set> registers(isa::registers_per_thread(access.shape, access.repeat));
  for (unsigned reg = 0; reg < registers.size(); ++reg) {
    column_set& columns = registers[reg];
    columns.first = isa::cells_of(access, 0, reg).low.column;  // no other thread has an earlier column
    for (unsigned thread = 0; thread < threads; ++thread) {
      const isa::register_cells cells = isa::cells_of(access, thread, reg);
      add(columns, cells.low.column);
      if (cells.high) add(columns, cells.high->column);
    }
  }
  return registers;
}

bank_schedule::bank_schedule(tensor_bank_organisation organisation, unsigned registers_per_cycle)
    : columns_per_row_(organisation == tensor_bank_organisation::sectors_of_2 ? 2 : 1),
      banks_(banks_of(organisation)),
      registers_per_cycle_(registers_per_cycle),
      range_cycles_(period * (isa::tensor_columns + 1)),
      access_cycles_(shapes * 2 * repetitions * period) {}

unsigned bank_schedule::cycles(std::vector<column_set> registers) const {
  column_set* const end = registers.data() + registers.size();
  unsigned cycles = 0;
  for (column_set* next = std::find_if(registers.data(), end, is_left); next != end; next = std::find_if(next, end, is_left)) {
    serve(next, next + std::min<std::ptrdiff_t>(registers_per_cycle_, end - next));
    ++cycles;
  }
  return cycles;
}

/// One cycle: takes what moves out of the registers' columns.
void bank_schedule::serve(column_set* first, const column_set* last) const {
  constexpr unsigned none = ~0U;
  std::array<unsigned, most_banks> open;
  open.fill(none);
  for (column_set* columns = first; columns != last; ++columns) {
    for (unsigned i = 0; i < 32 && columns->members >> i != 0; ++i) {
      const unsigned row = (columns->first + i) / columns_per_row_;
      unsigned& served = open[row % banks_];
      if ((columns->members >> i & 1) == 0 || (served != none && served != row)) continue;
      served = row;
      columns->members &= ~(std::uint32_t{1} << i);
    }
  }
}

unsigned bank_schedule::cycles(isa::column_range columns) {
  unsigned& known = range_cycles_[columns.first % period * (isa::tensor_columns + 1) + columns.count];
  if (known != 0 || columns.count == 0) return known;
  std::vector<column_set> registers(columns.count);
  for (unsigned i = 0; i < columns.count; ++i) registers[i] = {columns.first + i, 1};
  known = cycles(std::move(registers));
  return known;
}

unsigned bank_schedule::cycles(const isa::tensor_access& access) {
  unsigned& known = access_cycles_[index_of(access)];
  if (known == 0) known = cycles(columns_by_register(access));
  return known;
}

}  // namespace tc::tmem
