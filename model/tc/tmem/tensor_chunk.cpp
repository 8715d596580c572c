// SPDX-License-Identifier: Apache-2.0
#include "tensor_chunk.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/payload_rules.hpp>
#include <tc/tmem/cell_address.hpp>
#include <tc/tmem/extensions.hpp>

namespace tc::tmem {

namespace {

/// Calls `use(offset, count)` for each run of enabled bytes of the data (IEEE 1666-2011, section 14.12: the enables repeat).
template <class Use>
void for_each_enabled_run(const tlm::tlm_generic_payload& payload, Use use) {
  const unsigned length = payload.get_data_length();
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  if (enables == nullptr) return use(0U, length);
  const unsigned period = payload.get_byte_enable_length();
  unsigned run = 0;
  for (unsigned offset = 0, place = 0; offset < length; ++offset, place = place + 1 == period ? 0 : place + 1) {
    if (enables[place] == TLM_BYTE_ENABLED) {
      ++run;
    } else if (run != 0) {
      use(offset - run, run);
      run = 0;
    }
  }
  if (run != 0) use(length - run, run);
}

}  // namespace

chunk_storage::chunk_storage() : bytes_(chunk_bytes), written_(chunk_bytes) {}

void chunk_storage::transfer(tlm::tlm_generic_payload& payload, unsigned address) {
  unsigned char* const data = payload.get_data_ptr();
  const bool is_write = payload.is_write();
  for_each_enabled_run(payload, [&](unsigned offset, unsigned count) {
    if (is_write) {
      std::memcpy(&bytes_[address + offset], data + offset, count);
      std::fill_n(&written_[address + offset], count, static_cast<unsigned char>(1));
    } else {
      std::memcpy(data + offset, &bytes_[address + offset], count);
    }
  });
  if (!is_write) tell_undefined(payload, address);
}

void chunk_storage::tell_undefined(tlm::tlm_generic_payload& payload, unsigned address) const {
  auto* const undefined = payload.get_extension<fabric::undefined_bytes>();
  if (undefined == nullptr) return;
  bool any = false;
  for_each_enabled_run(
      payload, [&](unsigned offset, unsigned count) { any = any || std::memchr(&written_[address + offset], 0, count) != nullptr; });
  if (!any) return;
  undefined->any = true;
  undefined->flags.assign(payload.get_data_length(), 0);
  for_each_enabled_run(payload, [&](unsigned offset, unsigned count) {
    for (unsigned i = offset; i < offset + count; ++i) undefined->flags[i] = written_[address + i] == 0 ? 1 : 0;
  });
}

void chunk_storage::shift(unsigned first_column, unsigned columns) {
  for (unsigned column = first_column; column < first_column + columns; ++column) {
    for (std::vector<unsigned char>* const what : {&bytes_, &written_}) {
      unsigned char* const first_lane = &(*what)[column * column_bytes];
      std::memmove(first_lane, first_lane + cell_bytes, column_bytes - cell_bytes);
    }
  }
}

void chunk_storage::begin(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t first = std::min<std::uint64_t>(address, chunk_bytes);
  const std::uint64_t count = std::min<std::uint64_t>(bytes, chunk_bytes - first);
  std::fill_n(written_.begin() + static_cast<std::ptrdiff_t>(first), count, static_cast<unsigned char>(0));
}

void chunk_storage::reset() {
  std::fill(bytes_.begin(), bytes_.end(), static_cast<unsigned char>(0));
  std::fill(written_.begin(), written_.end(), static_cast<unsigned char>(0));
}

namespace {

fabric::access_rules rules_for(const config::tensor_memory_parameters& memory) {
  fabric::access_rules rules;
  rules.size_bytes = memory.columns * column_bytes;
  rules.alignment_bytes = cell_bytes;
  rules.byte_enables = true;
  return rules;
}

unsigned place_of(const tlm::tlm_generic_payload& payload) { return static_cast<unsigned>(payload.get_address() % chunk_bytes); }

isa::column_range columns_of(const tlm::tlm_generic_payload& payload) {
  const unsigned first = place_of(payload) / column_bytes;
  const unsigned last = (place_of(payload) + payload.get_data_length() - 1) / column_bytes;
  return {first, last - first + 1};
}

/// The access of these columns that a tag speaks of.
isa::tensor_access access_of(const warp_access& tag, isa::column_range columns) {
  isa::tensor_access access;
  access.shape = tag.shape;
  access.repeat = tag.repeat;
  access.packed = tag.packed;
  access.address.column = columns.first;
  return access;
}

bool is_possible(const isa::tensor_access& access, isa::column_range columns) {
  const bool has_repetition = access.repeat != 0 && isa::max_repeat(access.shape) % access.repeat == 0;
  return has_repetition && isa::columns(access).front() == columns;
}

}  // namespace

tensor_chunk::tensor_chunk(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name),
      access(
          "access", rules_for(parameters.memory), [this](auto& payload, const auto& delay) { return serve_warp(payload, delay); },
          [this](auto& payload) {
            debug(payload);
            return payload.get_data_length();
          }),
      params_(parameters),
      clock_(clock),
      warp_banks_(parameters.memory.banks, parameters.memory.bytes_per_cycle / column_bytes),
      engine_banks_(parameters.memory.banks, parameters.memory.engine_bytes_per_cycle / column_bytes),
      engine_reads_(parameters.engine_links),
      engine_writes_(parameters.engine_links) {}

tensor_chunk::~tensor_chunk() = default;

tensor_chunk::cycle_t tensor_chunk::path::take(cycle_t arrival, unsigned cycles, time_in_use& in_use) {
  const cycle_t start = std::max(arrival, free);
  wait_cycles += start - arrival;
  busy_cycles += cycles;
  free = start + cycles;
  in_use.add(start, free);
  return free;
}

sc_core::sc_time tensor_chunk::serve_warp(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const unsigned cycles = cycles_of(payload);
  if (cycles == 0) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return delay;
  }
  const cycle_t end = warp_path_.take(clock_.edge_at(delay), cycles, in_use_);
  ++(payload.is_read() ? reads_ : writes_);
  (payload.is_read() ? bytes_read_ : bytes_written_) += fabric::enabled_bytes(payload);
  move(payload);
  return clock_.delay_to(end + params_.memory.latency_cycles);
}

/// Of a load or store; 0 if its tag is wrong.
unsigned tensor_chunk::cycles_of(const tlm::tlm_generic_payload& payload) {
  const isa::column_range columns = columns_of(payload);
  const auto* const tag = payload.get_extension<warp_access>();
  if (tag == nullptr) return warp_banks_.cycles(columns);
  const isa::tensor_access tagged = access_of(*tag, columns);
  return is_possible(tagged, columns) ? warp_banks_.cycles(tagged) : 0;
}

bool tensor_chunk::contains(const tlm::tlm_generic_payload& payload) const {
  return access.rules().contains(place_of(payload), payload.get_data_length());
}

tensor_chunk::cycle_t tensor_chunk::serve_engine(unsigned link, tlm::tlm_generic_payload& payload, cycle_t arrival) {
  path& taken = (payload.is_read() ? engine_reads_ : engine_writes_)[link];
  const auto* const wave = payload.get_extension<column_wave>();
  const cycle_t begin = wave == nullptr ? arrival : std::min(arrival, clock_.cycle_of(wave->begin));
  (payload.is_read() ? engine_bytes_read_ : engine_bytes_written_) += fabric::enabled_bytes(payload);
  const cycle_t end = taken.take(begin, engine_banks_.cycles(columns_of(payload)), in_use_);
  move(payload);
  return std::max(end, arrival);
}

void tensor_chunk::debug(tlm::tlm_generic_payload& payload) { move(payload); }

void tensor_chunk::move(tlm::tlm_generic_payload& payload) {
  if (params_.data) storage_.transfer(payload, place_of(payload));
}

void tensor_chunk::shift(isa::column_range columns) {
  bytes_shifted_ += std::uint64_t{columns.count} * (column_bytes - cell_bytes);  // the last lane keeps its own
  if (params_.data) storage_.shift(columns.first, columns.count);
}

void tensor_chunk::reset() {
  storage_.reset();
  warp_path_ = {};
  in_use_ = {};
  engine_reads_.assign(params_.engine_links, {});
  engine_writes_.assign(params_.engine_links, {});
  reads_ = writes_ = bytes_read_ = bytes_written_ = engine_bytes_read_ = engine_bytes_written_ = bytes_shifted_ = 0;
}

std::uint64_t tensor_chunk::busy_cycles(const std::vector<path>& paths) {
  return std::accumulate(paths.begin(), paths.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const path& each) { return sum + each.busy_cycles; });
}

void tensor_chunk::collect(fabric::statistics_sink& sink) const {
  sink.count("reads", reads_, "transactions", "Loads of warps");
  sink.count("writes", writes_, "transactions", "Stores of warps");
  sink.busy(in_use_.cycles(), "Cycles in which cells of loads and stores or of the tensor core moved");
  sink.cycles("warp_cycles", warp_path_.busy_cycles, "Cycles in which cells of loads and stores moved");
  sink.cycles("wait_cycles", warp_path_.wait_cycles, "Cycles that loads and stores waited for others");
  sink.cycles("engine_read_cycles", busy_cycles(engine_reads_), "Cycles in which links of the tensor core read cells");
  sink.cycles("engine_write_cycles", busy_cycles(engine_writes_), "Cycles in which links of the tensor core wrote cells");
  sink.bytes("bytes_read", bytes_read_, "Bytes of the cells that warps loaded");
  sink.bytes("bytes_written", bytes_written_, "Bytes of the cells that warps stored");
  sink.bytes("engine_bytes_read", engine_bytes_read_, "Bytes of the cells that links of the tensor core read");
  sink.bytes("engine_bytes_written", engine_bytes_written_, "Bytes of the cells that links of the tensor core wrote");
  sink.bytes("bytes_shifted", bytes_shifted_, "Bytes of the cells that shifts read, and wrote to the lane before");
}

}  // namespace tc::tmem
