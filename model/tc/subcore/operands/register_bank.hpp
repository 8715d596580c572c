// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/isa/register_use.hpp>
#include <tc/links/bank_protocol.hpp>
#include <tc/subcore/operands/bank_rows.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

/// One bank of the register file: rows of 32 lanes x 32 bit behind the sockets of bank_protocol. A read occupies its port for one cycle a
/// row and port. Every transaction completes in the forward call.
///
/// A write arrives in a cycle to come, as a result leaves a pipeline: until then reads see the old content, from then on the new one.
/// That is the bypass of a result on its way to the bank.
class register_bank final : public sc_core::sc_module, public fabric::statistics_source, public fabric::resettable {
 public:
  fabric::transfer_target<links::bank_protocol> read{"read"}, write{"write"}, accumulator{"accumulator"};

  struct params {
    unsigned rows = isa::register_numbers;
    unsigned read_ports = 1;   ///< rows a cycle
    bool queues_reads = true;  ///< reads wait for a port; false: the reader has booked it, and the data are there when the read arrives
    bool data = true;          ///< false: no values come here, and there is nothing to count
  };

  using cycle_t = fabric::cycle_t;

  register_bank(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock);
  ~register_bank() override;

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  tlm::tlm_sync_enum read_rows(links::bank_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum write_rows(links::bank_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum access_accumulators(links::bank_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned debug_access(links::bank_transfer& transfer);
  bool has_rows(const links::bank_transfer& transfer) const;
  bool takes(links::bank_transfer& transfer, tlm::tlm_command command) const;
  void find_rows(const links::bank_transfer& transfer, const links::row_range& range);
  void send_rows(const links::bank_transfer& transfer);
  /// The port reads so many rows that are asked for in a cycle.
  cycle_t end_of_read(unsigned rows, cycle_t arrival) {
    // A division takes longer than all the rest, and most banks have one port.
    const cycle_t cycles = params_.read_ports == 1 ? rows : (rows + params_.read_ports - 1) / params_.read_ports;
    read_busy_ += cycles;
    return params_.queues_reads ? wait_for_port(arrival, cycles) : arrival;
  }
  cycle_t wait_for_port(cycle_t arrival, cycle_t cycles);

  const params params_;
  fabric::clock_domain& clock_;
  bank_rows rows_;
  cycle_t read_port_free_ = 0;
  std::uint64_t rows_read_ = 0, rows_written_ = 0, read_busy_ = 0, read_waits_ = 0;
};

}  // namespace tc::subcore
