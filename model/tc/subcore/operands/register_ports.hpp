#pragma once

#include <array>
#include <vector>

#include <tc/subcore/operands/operand_plan.hpp>

namespace tc::subcore {

/// How often each of the coming cycles of a port is taken.
class cycle_calendar {
 public:
  /// Nobody books this far ahead, so that the entry of a cycle that has passed can be used again. Who books farthest, a matrix instruction
  /// its result's writes, sees to that (port_reservation.cpp).
  static constexpr std::size_t days = 64;

  unsigned taken(cycle_t cycle) const {
    const day& entry = days_[cycle % days];
    return entry.cycle == cycle ? entry.uses : 0;
  }
  void take(cycle_t cycle) {
    day& entry = days_[cycle % days];
    entry = {cycle, taken(cycle) + 1};
  }

 private:
  struct day {
    cycle_t cycle = 0;
    unsigned uses = 0;
  };
  std::array<day, days> days_{};
};

/// The ports of a sub-core's register banks as instructions book them at issue: all that is known about when they are free. Read ports are
/// booked in two ways. Instructions of fixed latency find a free cycle for each register (allocate_stage). Matrix instructions wait for
/// each other's reads as a queue, and, where they disturb the others too, take cycles of their choice from them.
class register_ports {
 public:
  struct params {
    unsigned banks = 2;
    unsigned read_ports = 1;  ///< of a bank
  };

  explicit register_ports(const params& parameters) : params_(parameters), reads_(parameters.banks), matrix_reads_end_(parameters.banks) {}

  /// Nothing is booked.
  void reset() {
    reads_.assign(params_.banks, {});
    matrix_reads_end_.assign(params_.banks, 0);
    ++matrix_changes_;
    writes_ = {};
  }

  unsigned banks() const { return params_.banks; }

  bool can_read(unsigned bank, cycle_t cycle) const { return reads_[bank].taken(cycle) < params_.read_ports; }
  void take_read(unsigned bank, cycle_t cycle) { reads_[bank].take(cycle); }
  /// Registers that follow each other, from one in the bank `first_bank` on: one of each bank in the cycle `first`, in the next, and so on.
  void take_reads(unsigned first_bank, unsigned registers, cycle_t first);

  /// The write port for results of fixed latency, by the cycle in which their instruction leaves Allocate.
  bool can_write(cycle_t cycle) const { return writes_.taken(cycle) == 0; }
  void take_write(cycle_t cycle) { writes_.take(cycle); }

  /// The first issue at which a matrix instruction finds the reads of those before it far enough: their backlog may reach into its read
  /// window as far as its own reads still fit.
  cycle_t earliest_matrix_issue(const operand_plan& plan, cycle_t window_cycles) const;
  /// A matrix instruction issues: its reads join the queue. They go on until matrix_reads_end().
  void queue_matrix_reads(const operand_plan& plan, cycle_t issued);
  /// Grows when matrix instructions may find something else than before.
  std::uint64_t matrix_changes() const { return matrix_changes_; }
  cycle_t matrix_reads_end(unsigned bank) const { return matrix_reads_end_[bank]; }
  /// Cycles in which a bank reads so many registers.
  unsigned read_cycles(unsigned registers) const {
    return params_.read_ports == 1 ? registers : (registers + params_.read_ports - 1U) / params_.read_ports;
  }

 private:
  /// Cycles in which a bank reads the registers of this plan.
  unsigned read_cycles(const operand_plan& plan, unsigned bank) const { return read_cycles(plan.registers_of_bank[bank]); }

  const params params_;
  std::vector<cycle_calendar> reads_;      ///< by bank
  std::vector<cycle_t> matrix_reads_end_;  ///< by bank
  std::uint64_t matrix_changes_ = 0;
  cycle_calendar writes_;
};

}  // namespace tc::subcore
