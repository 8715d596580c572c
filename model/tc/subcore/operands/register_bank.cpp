// SPDX-License-Identifier: Apache-2.0
#include "register_bank.hpp"

#include <algorithm>
#include <cstring>

#include <tc/links/arrival_cycle.hpp>

namespace tc::subcore {

register_bank::register_bank(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name),
      read(
          "read", rules(parameters, true, false), [this](auto& payload, const auto& delay) { return read_rows(payload, delay); },
          [this](auto& payload) { return debug_access(payload); }),
      write(
          "write", rules(parameters, false, true), [this](auto& payload, const auto& delay) { return write_rows(payload, delay); },
          [this](auto& payload) { return debug_access(payload); }),
      accumulator(
          "accumulator", rules(parameters, true, true),
          [this](auto& payload, const auto& delay) { return access_accumulators(payload, delay); },
          [this](auto& payload) { return debug_access(payload); }),
      params_(parameters),
      clock_(clock),
      rows_(parameters.rows) {}

register_bank::~register_bank() = default;

fabric::access_rules register_bank::rules(const params& parameters, bool readable, bool writable) {
  fabric::access_rules rules;
  rules.size_bytes = std::uint64_t{parameters.rows} * row_bytes;
  rules.alignment_bytes = row_bytes;
  rules.readable = readable;
  rules.writable = writable;
  rules.byte_enables = writable;
  return rules;
}

void register_bank::read_accumulators_directly(std::size_t first, unsigned rows, cycle_t arrival, void* values) {
  sc_assert(first + rows <= rows_.count());
  const bool is_ahead = arrival > clock_.cycle();
  auto* next = static_cast<unsigned char*>(values);
  warp::lane_vector room;
  for (std::size_t row = first; row < first + rows; ++row, next += row_bytes)
    std::memcpy(next, is_ahead ? rows_.look_ahead(row, arrival, room).data() : rows_.at(row, arrival)->data(), row_bytes);
  rows_read_ += rows;
}

/// The end of a read that waits until a port is free.
register_bank::cycle_t register_bank::wait_for_port(cycle_t arrival, cycle_t cycles) {
  const cycle_t start = std::max(arrival, read_port_free_);
  read_port_free_ = start + cycles;
  read_waits_ += start - arrival;
  return read_port_free_;
}

void register_bank::write_directly(std::size_t first, unsigned rows, cycle_t arrival, std::uint32_t lanes, const warp::lane_vector* values,
                                   unsigned stride) {
  sc_assert(first + rows <= rows_.count());
  for (unsigned i = 0; i < rows; ++i) {
    rows_.lend(clock_.cycle()) = values[i * stride];
    rows_.send(first + i, arrival, lanes, clock_.cycle());
  }
  rows_written_ += rows;
}

sc_core::sc_time register_bank::read_rows(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  return clock_.delay_to(read_directly(static_cast<std::size_t>(payload.get_address() / row_bytes), payload.get_data_length() / row_bytes,
                                       links::arrival_cycle(clock_, delay), payload.get_data_ptr()));
}

/// A row at a time: each has byte enables of its own.
sc_core::sc_time register_bank::write_rows(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const cycle_t arrival = links::arrival_cycle(clock_, delay);
  const auto first = static_cast<std::size_t>(payload.get_address() / row_bytes);
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  const unsigned enable_bytes = payload.get_byte_enable_length();
  for (unsigned i = 0; i < payload.get_data_length() / row_bytes; ++i) {
    std::uint32_t lanes = all_lanes;
    if (enables != nullptr) {
      lanes = 0;
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
        if (enables[(i * row_bytes + lane * sizeof(std::uint32_t)) % enable_bytes] == TLM_BYTE_ENABLED) lanes |= 1u << lane;
    }
    warp::lane_vector value;
    std::memcpy(value.data(), payload.get_data_ptr() + std::size_t{i} * row_bytes, row_bytes);
    write_directly(first + i, 1, arrival, lanes, &value, 1);
  }
  return clock_.delay_to(arrival);
}

/// The tensor core's own port, which takes none of the others' cycles.
sc_core::sc_time register_bank::access_accumulators(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  if (payload.is_write()) return write_rows(payload, delay);
  const cycle_t arrival = links::arrival_cycle(clock_, delay);
  read_accumulators_directly(static_cast<std::size_t>(payload.get_address() / row_bytes), payload.get_data_length() / row_bytes, arrival,
                             payload.get_data_ptr());
  return clock_.delay_to(arrival);
}

unsigned register_bank::debug_access(tlm::tlm_generic_payload& payload) {
  const cycle_t now = clock_.cycle();
  unsigned char* data = payload.get_data_ptr();
  std::uint64_t address = payload.get_address();
  for (std::size_t left = payload.get_data_length(), bytes = 0; left != 0; left -= bytes, data += bytes, address += bytes) {
    const std::size_t offset = address % row_bytes;
    unsigned char* const row = reinterpret_cast<unsigned char*>(rows_.at(address / row_bytes, now)) + offset;
    bytes = std::min<std::size_t>(left, row_bytes - offset);
    if (payload.is_read())
      std::memcpy(data, row, bytes);
    else
      std::memcpy(row, data, bytes);
  }
  return payload.get_data_length();
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
