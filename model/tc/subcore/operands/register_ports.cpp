#include "register_ports.hpp"

#include <algorithm>

namespace tc::subcore {

cycle_t register_ports::earliest_matrix_issue(const operand_plan& plan, cycle_t window_cycles) const {
  cycle_t earliest = 0;
  for (unsigned bank = 0; bank < params_.banks; ++bank) {
    const cycle_t reads = read_cycles(plan, bank), window = std::max(window_cycles, reads);
    if (matrix_reads_end_[bank] + reads > window) earliest = std::max(earliest, matrix_reads_end_[bank] + reads - window);
  }
  return earliest;
}

void register_ports::take_reads(unsigned first_bank, unsigned registers, cycle_t first) {
  for (cycle_t cycle = first; registers > 0; ++cycle) {
    unsigned bank = first_bank;
    for (unsigned taken = 0; taken < params_.banks && registers > 0; ++taken, --registers) {
      take_read(bank, cycle);
      if (++bank == params_.banks) bank = 0;
    }
  }
}

void register_ports::queue_matrix_reads(const operand_plan& plan, cycle_t issued) {
  ++matrix_changes_;
  for (unsigned bank = 0; bank < params_.banks; ++bank)
    matrix_reads_end_[bank] = std::max(matrix_reads_end_[bank], issued) + read_cycles(plan, bank);
}

}  // namespace tc::subcore
