// SPDX-License-Identifier: Apache-2.0
#include "register_bank.hpp"

#include <algorithm>
namespace tc::subcore {

register_bank::register_bank(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name), params_(parameters), clock_(clock), rows_(parameters.rows) {
  read.serve<&register_bank::read_rows>(*this);
  write.serve<&register_bank::write_rows, &register_bank::debug_access>(*this);
  accumulator.serve<&register_bank::access_accumulators>(*this);
}

register_bank::~register_bank() = default;

bool register_bank::has_rows(const links::bank_transfer& transfer) const {
  return std::all_of(transfer.ranges, transfer.ranges + transfer.range_count,
                     [&](const links::row_range& range) { return std::size_t{transfer.first_row(range)} + range.rows <= rows_.count(); });
}

/// Sets the response.
bool register_bank::takes(links::bank_transfer& transfer, tlm::tlm_command command) const {
  transfer.done = transfer.arrival;
  if (transfer.command != command)
    transfer.status = tlm::TLM_COMMAND_ERROR_RESPONSE;
  else
    transfer.status = has_rows(transfer) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
  return transfer.status == tlm::TLM_OK_RESPONSE;
}

/// Where a row lies that has arrived, or in the reader's room, if it is still to be put together.
void register_bank::find_rows(const links::bank_transfer& transfer, const links::row_range& range) {
  const cycle_t seen = transfer.arrival + range.late_cycles;
  const bool is_ahead = seen > clock_.cycle();
  std::size_t number = transfer.first_row(range);
  for (unsigned position = range.position, end = position + range.rows; position < end; ++position, ++number) {
    warp::lane_vector& room = transfer.room[position];
    const warp::lane_vector& row = is_ahead ? rows_.look_ahead(number, seen, room) : *rows_.at(number, seen);
    if (transfer.found != nullptr)
      transfer.found[position] = &row;
    else if (&row != &room)
      room = row;
  }
  rows_read_ += range.rows;
}

void register_bank::send_rows(const links::bank_transfer& transfer) {
  const cycle_t now = clock_.cycle();
  for (std::uint32_t r = 0; r < transfer.range_count; ++r) {
    const links::row_range& range = transfer.ranges[r];
    const warp::lane_vector* value = transfer.values + range.position;
    for (unsigned i = 0; i < range.rows; ++i, value += transfer.stride) {
      rows_.lend(now) = *value;
      rows_.send(transfer.first_row(range) + i, transfer.arrival, transfer.lanes, now);
    }
    rows_written_ += range.rows;
  }
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
  for (std::uint32_t r = 0; r < transfer.range_count; ++r) {
    find_rows(transfer, transfer.ranges[r]);
    transfer.done = end_of_read(transfer.ranges[r].rows, transfer.arrival);
    if (transfer.range_done != nullptr) transfer.range_done[r] = transfer.done;
  }
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
  if (is_write) send_rows(transfer);
  for (std::uint32_t r = 0; !is_write && r < transfer.range_count; ++r) find_rows(transfer, transfer.ranges[r]);
  return tlm::TLM_COMPLETED;
}

/// No time passes, and nothing is counted.
unsigned register_bank::debug_access(links::bank_transfer& transfer) {
  sc_assert(transfer.range_count == 1 && transfer.ranges->rows == 1);
  if (!has_rows(transfer)) return 0;
  warp::lane_vector& row = *rows_.at(transfer.first_row(*transfer.ranges), clock_.cycle());
  if (transfer.command == tlm::TLM_READ_COMMAND)
    *transfer.room = row;
  else
    row = *transfer.values;
  return links::bank_protocol::row_bytes;
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
