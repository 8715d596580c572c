// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/completing_target.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/bank_protocol.hpp>
#include <tc/subcore/operands/bank_rows.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

/// One bank of the register file: rows of 32 lanes x 32 bit behind the sockets of bank_protocol. A read occupies its port for one cycle a
/// row and port. Every transaction completes in the forward call, with the cycle in which the data is valid annotated.
///
/// A write arrives at an annotated time, as a result leaves a pipeline: until then reads see the old content, from then on the new one.
/// That is the bypass of a result on its way to the bank.
///
/// What a transaction does is a function too, for an owner who knows that no one else is on the link (register_file::direct_banks()).
class register_bank final : public sc_core::sc_module, public fabric::statistics_source, public fabric::resettable {
 public:
  fabric::completing_target read;
  fabric::completing_target write;
  fabric::completing_target accumulator;

  struct params {
    unsigned rows = 256;
    unsigned read_ports = 1;   ///< rows a cycle
    bool queues_reads = true;  ///< reads wait for a port; false: the reader has booked it, and the data are there when the read arrives
    bool data = true;          ///< false: no values come here, and there is nothing to count
  };

  using cycle_t = fabric::cycle_t;

  static constexpr unsigned row_bytes = links::bank_protocol::row_bytes;
  static constexpr std::uint32_t all_lanes = bank_rows::all_lanes;

  register_bank(const sc_core::sc_module_name& name, const params& parameters, fabric::clock_domain& clock);
  ~register_bank() override;

  /// Reads rows that follow each other. Returns when their values are there.
  cycle_t read_directly(std::size_t first, unsigned rows, cycle_t arrival, void* values) {
    read_accumulators_directly(first, rows, arrival, values);
    return end_of_read(rows, arrival);
  }
  /// The same, for who reads the values where they lie, as long as nobody reads or writes in another cycle.
  cycle_t look_at_directly(std::size_t first, unsigned rows, cycle_t arrival, const warp::lane_vector** values) {
    sc_assert(first + rows <= rows_.count());
    for (unsigned i = 0; i < rows; ++i) values[i] = rows_.at(first + i, arrival);
    rows_read_ += rows;
    return end_of_read(rows, arrival);
  }
  /// A row as it will be in a cycle that is not over before others read it; its read has been counted.
  void look_ahead_directly(std::size_t row, cycle_t cycle, warp::lane_vector& value) {
    const warp::lane_vector& found = rows_.look_ahead(row, cycle, value);
    if (&found != &value) value = found;
  }
  /// Whether a read takes no time: a row and port in a cycle that the reader has booked.
  bool reads_at_once() const { return !params_.queues_reads && params_.read_ports == 1; }
  /// The rows, for who reads so many of them where they lie, in a bank that reads_at_once().
  bank_rows& rows_to_read(unsigned count) {
    rows_read_ += count;
    read_busy_ += count;
    return rows_;
  }
  /// The same over the tensor core's own port, where reads take none of the others' cycles and are answered at once: what arrives by then
  /// is read, and others who read until then do not see it.
  void read_accumulators_directly(std::size_t first, unsigned rows, cycle_t arrival, void* values);
  /// Writes rows that follow each other, in lanes that have a bit: one value, then each `stride`th after it.
  void write_directly(std::size_t first, unsigned rows, cycle_t arrival, std::uint32_t lanes, const warp::lane_vector* values,
                      unsigned stride);

  /// Memory for the value of a whole row, which is going to be written without being copied.
  warp::lane_vector& lend_row() { return rows_.lend(clock_.cycle()); }
  /// Writes the first value whose memory was lent.
  void write_lent_row(std::size_t row, cycle_t arrival) {
    rows_.send(row, arrival, all_lanes, clock_.cycle());
    ++rows_written_;
  }

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  sc_core::sc_time read_rows(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  sc_core::sc_time write_rows(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  sc_core::sc_time access_accumulators(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  unsigned debug_access(tlm::tlm_generic_payload& payload);
  /// The port reads so many rows that are asked for in a cycle.
  cycle_t end_of_read(unsigned rows, cycle_t arrival) {
    // A division takes longer than all the rest, and most banks have one port.
    const cycle_t cycles = params_.read_ports == 1 ? rows : (rows + params_.read_ports - 1) / params_.read_ports;
    read_busy_ += cycles;
    return params_.queues_reads ? wait_for_port(arrival, cycles) : arrival;
  }
  cycle_t wait_for_port(cycle_t arrival, cycle_t cycles);
  static fabric::access_rules rules(const params& parameters, bool readable, bool writable);

  const params params_;
  fabric::clock_domain& clock_;
  bank_rows rows_;
  cycle_t read_port_free_ = 0;
  std::uint64_t rows_read_ = 0, rows_written_ = 0, read_busy_ = 0, read_waits_ = 0;
};

}  // namespace tc::subcore
