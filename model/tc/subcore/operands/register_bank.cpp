#include "register_bank.hpp"

#include <algorithm>
#include <cstring>

#include <tc/fabric/zeroed_allocator.hpp>
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
      rows_(parameters.rows) {
  clear_rows();
}

register_bank::~register_bank() = default;

/// All zero. Rows of warps that never come take no memory: their pages are not touched.
void register_bank::clear_rows() {
  std::size_t bytes = (std::size_t{params_.rows} + 1) * row_bytes;
  memory_.reset(fabric::zeroed_allocator<std::uint8_t>().allocate(bytes));
  void* first = memory_.get();
  std::align(row_bytes, bytes - row_bytes, first, bytes);
  for (unsigned i = 0; i < params_.rows; ++i) rows_[i] = static_cast<lane_vector*>(first) + i;
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

/// Writes the rows that have arrived by `cycle`. A whole row changes places with what is written.
void register_bank::make_visible(cycle_t cycle) {
  while (in_flight_.is_due(cycle)) {
    const rows_in_flight::row_write& next = in_flight_.first();
    lane_vector*& row = rows_[next.row];
    if (next.lanes == all_lanes) {
      row = in_flight_.exchange_first(row);
      continue;
    }
    next.write_to(*row);
    in_flight_.remove_first();
  }
}

void register_bank::read_accumulators_directly(std::size_t first, unsigned rows, cycle_t arrival, void* values) {
  lane_vector* const* const found = visible_rows(first, rows, std::min(arrival, clock_.cycle()));
  const bool is_ahead = in_flight_.is_due(arrival);
  auto* next = static_cast<unsigned char*>(values);
  for (unsigned i = 0; i < rows; ++i, next += row_bytes) {
    if (!is_ahead) {
      std::memcpy(next, found[i]->data(), row_bytes);
      continue;
    }
    lane_vector value = *found[i];
    in_flight_.look_ahead(arrival, static_cast<std::uint32_t>(first + i), value);
    std::memcpy(next, value.data(), row_bytes);
  }
}

/// The end of a read that waits until a port is free.
register_bank::cycle_t register_bank::wait_for_port(cycle_t arrival, cycle_t cycles) {
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
  unsigned char* data = payload.get_data_ptr();
  std::uint64_t address = payload.get_address();
  for (std::size_t left = payload.get_data_length(), bytes = 0; left != 0; left -= bytes, data += bytes, address += bytes) {
    const std::size_t offset = address % row_bytes;
    unsigned char* const row = reinterpret_cast<unsigned char*>(rows_[address / row_bytes]) + offset;
    bytes = std::min<std::size_t>(left, row_bytes - offset);
    if (payload.is_read())
      std::memcpy(data, row, bytes);
    else
      std::memcpy(row, data, bytes);
  }
  return payload.get_data_length();
}

void register_bank::reset() {
  clear_rows();
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
