// SPDX-License-Identifier: Apache-2.0
#include "register_bank.hpp"

#include <algorithm>
namespace tc::subcore {

register_bank::register_bank(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name), params_(parameters), clock_(clock), rows_(parameters.rows) {
  read.register_nb_transport_fw(this, &register_bank::read_rows);
  write.register_nb_transport_fw(this, &register_bank::write_rows);
  write.register_transport_dbg(this, &register_bank::debug_access);
  accumulator.register_nb_transport_fw(this, &register_bank::access_accumulators);
}

register_bank::~register_bank() = default;

/// Sets the response.
bool register_bank::takes(links::bank_transfer& transfer, tlm::tlm_command command) const {
  transfer.done = transfer.arrival;
  if (transfer.command != command)
    transfer.status = tlm::TLM_COMMAND_ERROR_RESPONSE;
  else if (std::size_t{transfer.first_row} + transfer.rows > rows_.count())
    transfer.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  else
    transfer.status = tlm::TLM_OK_RESPONSE;
  return transfer.status == tlm::TLM_OK_RESPONSE;
}

/// Where a row lies that has arrived, or in the reader's room, if it is still to be put together.
void register_bank::find_rows(const links::bank_transfer& transfer) {
  const bool is_ahead = transfer.bypass_until > clock_.cycle();
  for (std::uint32_t i = 0; i < transfer.rows; ++i) {
    const std::size_t number = transfer.first_row + i;
    warp::lane_vector& room = transfer.room[i];
    const warp::lane_vector& row =
        is_ahead ? rows_.look_ahead(number, transfer.bypass_until, room) : *rows_.at(number, transfer.bypass_until);
    if (transfer.found != nullptr)
      transfer.found[i] = &row;
    else if (&row != &room)
      room = row;
  }
  rows_read_ += transfer.rows;
}

void register_bank::send_rows(const links::bank_transfer& transfer) {
  const cycle_t now = clock_.cycle();
  for (std::uint32_t i = 0; i < transfer.rows; ++i) {
    rows_.lend(now) = transfer.values[i * transfer.stride];
    rows_.send(transfer.first_row + i, transfer.arrival, transfer.lanes, now);
  }
  rows_written_ += transfer.rows;
}

/// The end of a read that waits until a port is free.
register_bank::cycle_t register_bank::wait_for_port(cycle_t arrival, cycle_t cycles) {
  const cycle_t start = std::max(arrival, read_port_free_);
  read_port_free_ = start + cycles;
  read_waits_ += start - arrival;
  return read_port_free_;
}

tlm::tlm_sync_enum register_bank::read_rows(links::bank_transfer& transfer, tlm::tlm_phase&, sc_core::sc_time&) {
  if (!takes(transfer, tlm::TLM_READ_COMMAND)) return tlm::TLM_COMPLETED;
  find_rows(transfer);
  transfer.done = end_of_read(transfer.rows, transfer.arrival);
  return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum register_bank::write_rows(links::bank_transfer& transfer, tlm::tlm_phase&, sc_core::sc_time&) {
  if (takes(transfer, tlm::TLM_WRITE_COMMAND)) send_rows(transfer);
  return tlm::TLM_COMPLETED;
}

/// The tensor core's own port, which takes none of the others' cycles.
tlm::tlm_sync_enum register_bank::access_accumulators(links::bank_transfer& transfer, tlm::tlm_phase&, sc_core::sc_time&) {
  const bool is_write = transfer.command == tlm::TLM_WRITE_COMMAND;
  if (!takes(transfer, is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND)) return tlm::TLM_COMPLETED;
  if (is_write)
    send_rows(transfer);
  else
    find_rows(transfer);
  return tlm::TLM_COMPLETED;
}

/// No time passes, and nothing is counted.
unsigned register_bank::debug_access(links::bank_transfer& transfer) {
  if (std::size_t{transfer.first_row} + transfer.rows > rows_.count()) return 0;
  for (std::uint32_t i = 0; i < transfer.rows; ++i) {
    warp::lane_vector& row = *rows_.at(transfer.first_row + i, clock_.cycle());
    if (transfer.command == tlm::TLM_READ_COMMAND)
      transfer.room[i] = row;
    else
      row = transfer.values[i * transfer.stride];
  }
  return transfer.rows * links::bank_protocol::row_bytes;
}

void register_bank::reset() {
  rows_.clear();
  read_port_free_ = 0;
  rows_read_ = rows_written_ = read_busy_ = read_waits_ = 0;
}

void register_bank::collect(fabric::statistics_sink& sink) const {
  if (!params_.data) return;
  sink.count("rows_read", rows_read_, "registers", "Registers of 32 lanes read");
  sink.count("rows_written", rows_written_, "registers", "Registers of 32 lanes written");
  sink.busy(read_busy_, "Cycles in which the read port was taken");
  if (params_.queues_reads) sink.cycles("read_wait_cycles", read_waits_, "Cycles that reads waited for the port");
}

}  // namespace tc::subcore
