#include "register_bank.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include <tc/subcore/links/arrival_cycle.hpp>

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
      rows_(zero_rows(parameters.rows)) {}

register_bank::~register_bank() = default;

register_bank::row_memory register_bank::zero_rows(unsigned rows) {
  row_memory memory(static_cast<lane_vector*>(std::calloc(rows, sizeof(lane_vector))));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

fabric::access_rules register_bank::rules(const params& parameters, bool readable, bool writable) {
  fabric::access_rules rules;
  rules.size_bytes = std::uint64_t{parameters.rows} * row_bytes;
  rules.alignment_bytes = row_bytes;
  rules.readable = readable;
  rules.writable = writable;
  rules.byte_enables = writable;
  return rules;
}

/// Writes the rows that have arrived by `cycle`.
void register_bank::make_visible(cycle_t cycle) {
  for (; in_flight_.is_due(cycle); in_flight_.remove_first()) {
    const rows_in_flight::row_write& next = in_flight_.first();
    lane_vector& row = rows_[next.row];
    if (next.lanes == all_lanes) {
      row = in_flight_.value(next);
      continue;
    }
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
      if ((next.lanes >> lane & 1u) != 0) row[lane] = in_flight_.value(next)[lane];
  }
}

/// Of one that waits until a port is free.
register_bank::cycle_t register_bank::end_of_read(cycle_t arrival, cycle_t cycles) {
  const cycle_t start = std::max(arrival, read_port_free_);
  read_port_free_ = start + cycles;
  read_waits_ += start - arrival;
  return read_port_free_;
}

void register_bank::write_directly(std::size_t first, unsigned rows, cycle_t arrival, std::uint32_t lanes, const lane_vector* values,
                                   unsigned stride) {
  sc_assert(first + rows <= params_.rows);
  for (unsigned i = 0; i < rows; ++i) in_flight_.add(arrival, static_cast<std::uint32_t>(first + i), lanes) = values[i * stride];
  rows_written_ += rows;
}

sc_core::sc_time register_bank::read_rows(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  return clock_.delay_to(read_directly(static_cast<std::size_t>(payload.get_address() / row_bytes), payload.get_data_length() / row_bytes,
                                       arrival_cycle(clock_, delay), payload.get_data_ptr()));
}

/// A row at a time: each has byte enables of its own.
sc_core::sc_time register_bank::write_rows(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const cycle_t arrival = arrival_cycle(clock_, delay);
  const auto first = static_cast<std::size_t>(payload.get_address() / row_bytes);
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  const unsigned enable_bytes = payload.get_byte_enable_length();
  for (unsigned i = 0; i < payload.get_data_length() / row_bytes; ++i) {
    std::uint32_t lanes = all_lanes;
    if (enables != nullptr) {
      lanes = 0;
      for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
        if (enables[(i * row_bytes + lane * sizeof(std::uint32_t)) % enable_bytes] == TLM_BYTE_ENABLED) lanes |= 1u << lane;
    }
    lane_vector value;
    std::memcpy(value.data(), payload.get_data_ptr() + std::size_t{i} * row_bytes, row_bytes);
    write_directly(first + i, 1, arrival, lanes, &value, 1);
  }
  return clock_.delay_to(arrival);
}

/// The tensor core's own port, which takes none of the others' cycles.
sc_core::sc_time register_bank::access_accumulators(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  if (payload.is_write()) return write_rows(payload, delay);
  const cycle_t arrival = arrival_cycle(clock_, delay);
  read_accumulators_directly(static_cast<std::size_t>(payload.get_address() / row_bytes), payload.get_data_length() / row_bytes, arrival,
                             payload.get_data_ptr());
  return clock_.delay_to(arrival);
}

unsigned register_bank::debug_access(tlm::tlm_generic_payload& payload) {
  make_visible(clock_.cycle());
  unsigned char* const rows = reinterpret_cast<unsigned char*>(rows_.get()) + payload.get_address();
  if (payload.is_read())
    std::memcpy(payload.get_data_ptr(), rows, payload.get_data_length());
  else
    std::memcpy(rows, payload.get_data_ptr(), payload.get_data_length());
  return payload.get_data_length();
}

void register_bank::reset() {
  rows_ = zero_rows(params_.rows);
  in_flight_.clear();
  read_port_free_ = 0;
  rows_read_ = rows_written_ = read_busy_ = read_waits_ = 0;
}

void register_bank::collect(fabric::statistics_sink& sink) const {
  sink.count("rows_read", rows_read_, "registers", "Registers of 32 lanes read");
  sink.count("rows_written", rows_written_, "registers", "Registers of 32 lanes written");
  sink.busy(read_busy_, "Cycles in which the read port was taken");
  sink.cycles("read_wait_cycles", read_waits_, "Cycles that reads waited for the port");
}

}  // namespace tc::subcore
