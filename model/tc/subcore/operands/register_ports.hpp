// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <systemc>

#include <tc/subcore/operands/operand_plan.hpp>

namespace tc::subcore {

/// The ports of a sub-core's register banks as instructions book them at issue: all that is known about when they are free. Read ports are
/// booked in two ways. Instructions of fixed latency find a free cycle for each register (allocate_stage). Matrix instructions wait for
/// each other's reads as a queue, and, where they disturb the others too, take cycles of their choice from them.
class register_ports {
 public:
  struct params {
    unsigned banks = 2;
    unsigned read_ports = 1;  ///< of a bank
  };

  explicit register_ports(const params& parameters)
      : params_(parameters),
        booked_ports_(std::min(parameters.read_ports, most_reads)),
        reads_(std::size_t{parameters.banks} * booked_ports_),
        matrix_reads_end_(parameters.banks) {}

  /// Nothing is booked.
  void reset() {
    std::fill(reads_.begin(), reads_.end(), cycle_set{});
    matrix_reads_end_.assign(params_.banks, 0);
    writes_ = {};
    now_ = 0;
  }

  unsigned banks() const { return params_.banks; }

  /// It is this cycle now, and only it and later ones are asked about and booked: what was booked before it is over.
  void pass_to(cycle_t now) {
    if (now == now_) return;
    sc_assert(now > now_);
    const cycle_set over(now_, now - now_);
    for (cycle_set& booked : reads_) booked.remove(over);
    writes_.remove(over);
    now_ = now;
  }

  bool can_read(unsigned bank, cycle_t cycle) const { return !reads_[(bank + 1) * booked_ports_ - 1].has(cycle); }
  void take_read(unsigned bank, cycle_t cycle) { take_reads(bank, cycle_set(cycle, 1)); }
  /// A read in each of these cycles. More than a bank has ports for may be booked.
  void take_reads(unsigned bank, cycle_set cycles) {
    cycle_set* port = &reads_[bank * booked_ports_];
    cycles = port->add(cycles);
    for (unsigned i = 1; i < booked_ports_ && !cycles.is_empty(); ++i) cycles = (++port)->add(cycles);
  }

  /// The write port for results of fixed latency, by the cycle in which their instruction leaves Allocate.
  bool can_write(cycle_t cycle) const { return !writes_.has(cycle); }
  void take_writes(const cycle_set& cycles) { writes_.add(cycles); }

  /// Cycles of a read window, by bank, that the reads of a matrix instruction leave.
  using spare_cycles = std::array<std::uint8_t, operand_plan::max_banks>;
  /// A window is shorter than cycle_set::days.
  void find_spare(const operand_plan& plan, cycle_t window_cycles, spare_cycles& spare) const;
  /// The first issue at which a matrix instruction finds the reads of those before it far enough: their backlog may reach into its read
  /// window as far as its own reads still fit.
  cycle_t earliest_matrix_issue(const spare_cycles& spare) const {
    cycle_t earliest = 0;
    for (unsigned bank = 0; bank < params_.banks; ++bank)
      earliest = std::max(earliest + spare[bank], matrix_reads_end_[bank]) - spare[bank];
    return earliest;
  }
  /// A matrix instruction issues: its reads join the queue. They go on until matrix_reads_end().
  void queue_matrix_reads(const operand_plan& plan, cycle_t issued);
  cycle_t matrix_reads_end(unsigned bank) const { return matrix_reads_end_[bank]; }
  /// Cycles in which a bank reads so many registers.
  unsigned read_cycles(unsigned registers) const {
    return params_.read_ports == 1 ? registers : (registers + params_.read_ports - 1U) / params_.read_ports;
  }

 private:
  /// Cycles in which a bank reads the registers of this plan.
  unsigned read_cycles(const operand_plan& plan, unsigned bank) const { return read_cycles(plan.registers_of_bank[bank]); }

  static constexpr unsigned most_reads = 64;  ///< of a bank in a cycle; instructions whose windows overlap do not come near it

  const params params_;
  const unsigned booked_ports_;            ///< of a bank
  std::vector<cycle_set> reads_;           ///< by bank, then port: its uses go to its first port that is free
  std::vector<cycle_t> matrix_reads_end_;  ///< by bank
  cycle_set writes_;
  cycle_t now_ = 0;
};

}  // namespace tc::subcore
