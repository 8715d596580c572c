// SPDX-License-Identifier: Apache-2.0
#include "register_ports.hpp"

#include <algorithm>

namespace tc::subcore {

void register_ports::find_spare(const operand_plan& plan, cycle_t window_cycles, spare_cycles& spare) const {
  for (unsigned bank = 0; bank < params_.banks; ++bank) {
    const cycle_t reads = read_cycles(plan, bank);
    spare[bank] = static_cast<std::uint8_t>(std::max(window_cycles, reads) - reads);
  }
}

void register_ports::queue_matrix_reads(const operand_plan& plan, cycle_t issued) {
  for (unsigned bank = 0; bank < params_.banks; ++bank)
    matrix_reads_end_[bank] = std::max(matrix_reads_end_[bank], issued) + read_cycles(plan, bank);
}

}  // namespace tc::subcore
