// SPDX-License-Identifier: Apache-2.0
#include "tensor_memory.hpp"

#include <algorithm>

#include <tc/tmem/cell_address.hpp>

namespace tc::tmem {

tensor_memory::tensor_memory(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name),
      chunks("chunk", isa::tensor_chunks,
             [&](const char* chunk_name, std::size_t) {
               return new tensor_chunk(chunk_name, {parameters.memory, parameters.engine_links, parameters.data}, clock);
             }),
      engine("engine", parameters.engine_links,
             [this](const char* link_name, std::size_t link) { return make_engine_link(link_name, static_cast<unsigned>(link)); }),
      params_(parameters),
      clock_(clock),
      shift_banks_(parameters.memory.banks, lane_shift::columns) {}

tensor_memory::~tensor_memory() = default;

fabric::completing_target* tensor_memory::make_engine_link(const char* link_name, unsigned link) {
  fabric::access_rules rules;
  rules.size_bytes = tensor_bytes;
  rules.alignment_bytes = cell_bytes;
  rules.byte_enables = true;
  return new fabric::completing_target(
      link_name, rules, [this, link](auto& payload, const auto& delay) { return access(link, payload, delay); },
      [this](auto& payload) { return debug(payload); }, [this](auto& payload, const auto& delay) { return notice(payload, delay); });
}

/// The address is one of the rules.
tensor_chunk& tensor_memory::chunk_of(const tlm::tlm_generic_payload& payload) {
  return chunks[static_cast<std::size_t>(payload.get_address() / chunk_bytes)];
}

sc_core::sc_time tensor_memory::access(unsigned link, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  tensor_chunk& chunk = chunk_of(payload);
  if (!chunk.contains(payload)) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return delay;
  }
  return clock_.delay_to(chunk.serve_engine(link, payload, clock_.edge_at(delay)));
}

unsigned tensor_memory::debug(tlm::tlm_generic_payload& payload) {
  tensor_chunk& chunk = chunk_of(payload);
  if (!chunk.contains(payload)) return 0;
  chunk.debug(payload);
  return payload.get_data_length();
}

sc_core::sc_time tensor_memory::notice(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  if (auto* const request = payload.get_extension<lane_shift>(); request != nullptr) return shift(payload, *request, delay);
  if (auto* const region = payload.get_extension<fabric::new_region>(); region != nullptr && !region->initial) begin_region(*region);
  return delay;
}

/// Shifts are served one after the other, and each keeps the banks as long as they need to move its columns, at least.
sc_core::sc_time tensor_memory::shift(tlm::tlm_generic_payload& payload, lane_shift& request, const sc_core::sc_time& delay) {
  request.noted = true;
  const isa::column_range columns{request.first_column, lane_shift::columns};
  if (params_.memory.columns < columns.count || columns.first > params_.memory.columns - columns.count) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return delay;
  }
  const unsigned cycles = std::max(shift_banks_.cycles(columns), params_.memory.shift.interval_cycles);
  shift_free_ = std::max(clock_.edge_at(delay), shift_free_) + cycles;
  request.moved_after = clock_.delay_to(shift_free_);
  ++shifts_;
  shift_cycles_ += cycles;
  for (tensor_chunk& chunk : chunks) chunk.shift(columns);
  return clock_.delay_to(shift_free_ + params_.memory.shift.completion_cycles);
}

void tensor_memory::begin_region(fabric::new_region& region) {
  region.noted = true;
  for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) {
    const std::uint64_t base = std::uint64_t{chunk} * chunk_bytes;
    const std::uint64_t first = std::max(base, region.base);
    const std::uint64_t last = std::min(base + chunk_bytes, region.base + region.bytes);
    if (first < last) chunks[chunk].begin(first - base, last - first);
  }
}

void tensor_memory::reset() {
  for (tensor_chunk& chunk : chunks) chunk.reset();
  shift_free_ = 0;
  shifts_ = shift_cycles_ = 0;
}

void tensor_memory::collect(fabric::statistics_sink& sink) const {
  sink.count("shifts", shifts_, "shifts", "Shifts of 8 columns by one lane");
  sink.cycles("shift_cycles", shift_cycles_, "Cycles in which shifts were under way");
}

}  // namespace tc::tmem
