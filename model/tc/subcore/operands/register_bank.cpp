#include "register_bank.hpp"

#include <algorithm>
#include <cstring>

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

/// Rows whose write has arrived by `cycle`, in the order of their arrival; of two that arrive together the later call wins.
void register_bank::make_visible(cycle_t cycle) {
  if (cycle < next_visible_) return;
  next_visible_ = never;
  arrived_.clear();
  auto keep = pending_.begin();
  for (pending_write& next : pending_) {
    if (next.visible <= cycle) {
      arrived_.push_back(next);
    } else {
      next_visible_ = std::min(next_visible_, next.visible);
      if (&*keep != &next) *keep = next;
      ++keep;
    }
  }
  pending_.erase(keep, pending_.end());
  const auto earlier = [](const pending_write& x, const pending_write& y) { return x.visible < y.visible; };
  if (!std::is_sorted(arrived_.begin(), arrived_.end(), earlier)) std::stable_sort(arrived_.begin(), arrived_.end(), earlier);
  for (const pending_write& next : arrived_) {
    lane_vector& row = rows_[next.row];
    if (next.lanes == all_lanes) {
      row = next.value;
      continue;
    }
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
      if ((next.lanes >> lane & 1u) != 0) row[lane] = next.value[lane];
  }
}

sc_core::sc_time register_bank::read_rows(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const cycle_t arrival = arrival_cycle(clock_, delay);
  make_visible(arrival);
  const auto row = static_cast<std::size_t>(payload.get_address() / row_bytes);
  const unsigned rows = payload.get_data_length() / row_bytes;
  std::memcpy(payload.get_data_ptr(), rows_[row].data(), payload.get_data_length());
  const cycle_t cycles = (rows + params_.read_ports - 1) / params_.read_ports;
  rows_read_ += rows;
  read_busy_ += cycles;
  if (!params_.queues_reads) return clock_.delay_to(arrival);
  const cycle_t start = std::max(arrival, read_port_free_);
  read_port_free_ = start + cycles;
  read_waits_ += start - arrival;
  return clock_.delay_to(read_port_free_);
}

sc_core::sc_time register_bank::write_rows(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const cycle_t arrival = arrival_cycle(clock_, delay);
  const auto row = static_cast<std::uint32_t>(payload.get_address() / row_bytes);
  const unsigned rows = payload.get_data_length() / row_bytes;
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  const unsigned enable_bytes = payload.get_byte_enable_length();
  for (unsigned i = 0; i < rows; ++i) {
    pending_write& next = pending_.emplace_back();
    next.visible = arrival;
    next.row = row + i;
    next.lanes = all_lanes;
    if (enables != nullptr) {
      next.lanes = 0;
      for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
        if (enables[(i * row_bytes + lane * sizeof(std::uint32_t)) % enable_bytes] == TLM_BYTE_ENABLED) next.lanes |= 1u << lane;
    }
    next_visible_ = std::min(next_visible_, arrival);
    std::memcpy(next.value.data(), payload.get_data_ptr() + std::size_t{i} * row_bytes, row_bytes);
  }
  rows_written_ += rows;
  return clock_.delay_to(arrival);
}

/// The tensor core's own port, which takes none of the others' cycles.
sc_core::sc_time register_bank::access_accumulators(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  if (payload.is_write()) return write_rows(payload, delay);
  const cycle_t arrival = arrival_cycle(clock_, delay);
  make_visible(arrival);
  std::memcpy(payload.get_data_ptr(), rows_[static_cast<std::size_t>(payload.get_address() / row_bytes)].data(), payload.get_data_length());
  rows_read_ += payload.get_data_length() / row_bytes;
  return clock_.delay_to(arrival);
}

unsigned register_bank::debug_access(tlm::tlm_generic_payload& payload) {
  make_visible(clock_.cycle());
  unsigned char* const rows = reinterpret_cast<unsigned char*>(rows_.data()) + payload.get_address();
  if (payload.is_read())
    std::memcpy(payload.get_data_ptr(), rows, payload.get_data_length());
  else
    std::memcpy(rows, payload.get_data_ptr(), payload.get_data_length());
  return payload.get_data_length();
}

void register_bank::reset() {
  std::fill(rows_.begin(), rows_.end(), lane_vector{});
  pending_.clear();
  next_visible_ = never;
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
