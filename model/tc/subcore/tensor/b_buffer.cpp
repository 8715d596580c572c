// SPDX-License-Identifier: Apache-2.0
#include "b_buffer.hpp"

#include <algorithm>
#include <cstring>

#include <tc/links/arrival_cycle.hpp>

namespace tc::subcore {

b_buffer::b_buffer(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name),
      fill(
          "fill", rules(parameters, true), [this](auto& payload, const auto& delay) { return fill_tile(payload, delay); },
          [this](auto& payload) { return debug_access(payload); }),
      read("read", parameters.readers,
           [&](const char* port, std::size_t) {
             return new fabric::completing_target(
                 port, rules(parameters, false), [this](auto& payload, const auto& delay) { return read_tile(payload, delay); },
                 [this](auto& payload) { return debug_access(payload); });
           }),
      params_(parameters),
      clock_(clock),
      content_(std::size_t{parameters.tiles} * parameters.tile_bytes()),
      tiles_(parameters.tiles) {}

b_buffer::~b_buffer() = default;

fabric::access_rules b_buffer::rules(const params& parameters, bool fills) {
  fabric::access_rules rules;
  rules.alignment_bytes = parameters.register_bytes();
  rules.max_length_bytes = parameters.tile_bytes();
  rules.size_bytes = std::uint64_t{parameters.tiles} * rules.max_length_bytes;
  rules.readable = !fills;
  rules.writable = fills;
  return rules;
}

/// Within one tile: a completing_target has checked that the access lies inside the buffer.
bool b_buffer::crosses_tiles(const tlm::tlm_generic_payload& payload) const {
  return payload.get_address() % params_.tile_bytes() + payload.get_data_length() > params_.tile_bytes();
}

sc_core::sc_time b_buffer::fill_tile(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const cycle_t begin = links::arrival_cycle(clock_, delay);
  tile& target = tiles_[payload.get_address() / params_.tile_bytes()];
  if (crosses_tiles(payload) || begin < target.last_read) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return delay;
  }
  std::memcpy(&content_[payload.get_address()], payload.get_data_ptr(), payload.get_data_length());
  target.filled = begin + fill_cycles(payload.get_data_length());
  ++fills_;
  registers_filled_ += registers_of(payload.get_data_length());
  return clock_.delay_to(target.filled);
}

void b_buffer::measure_fill(unsigned bytes) {
  latest_fill_ = {bytes, (registers_of(bytes) + params_.registers_per_cycle - 1) / params_.registers_per_cycle};
}

sc_core::sc_time b_buffer::read_tile(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const cycle_t cycle = links::arrival_cycle(clock_, delay);
  tile& source = tiles_[payload.get_address() / params_.tile_bytes()];
  if (crosses_tiles(payload) || cycle < source.filled) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return delay;
  }
  std::memcpy(payload.get_data_ptr(), &content_[payload.get_address()], payload.get_data_length());
  source.last_read = std::max(source.last_read, cycle);
  ++reads_;
  return clock_.delay_to(cycle);
}

unsigned b_buffer::debug_access(tlm::tlm_generic_payload& payload) {
  unsigned char* bytes = &content_[payload.get_address()];
  const unsigned length = payload.get_data_length();
  if (payload.is_write()) {
    std::memcpy(bytes, payload.get_data_ptr(), length);
  } else {
    std::memcpy(payload.get_data_ptr(), bytes, length);
  }
  return length;
}

void b_buffer::reset() {
  std::fill(content_.begin(), content_.end(), static_cast<unsigned char>(0));
  std::fill(tiles_.begin(), tiles_.end(), tile{});
  fills_ = registers_filled_ = reads_ = 0;
}

void b_buffer::collect(fabric::statistics_sink& sink) const {
  std::uint64_t fills = fills_, registers_filled = registers_filled_, reads = reads_;
  const auto add = [&](const counted_operation& passed) {
    fills += passed.instructions;
    registers_filled += passed.instructions * registers_of(passed.operation.b_bytes());
    reads += passed.instructions * params_.readers;
  };
  if (passed_ != nullptr) passed_->for_each(add);
  sink.count("fills", fills, "fills", "Tiles of B that were filled");
  sink.count("registers_filled", registers_filled, "registers", "Registers of B that were written");
  sink.bytes("bytes_filled", registers_filled * params_.register_bytes(), "Bytes of these");
  sink.count("reads", reads, "reads", "Tiles that a tensor core read");
}

}  // namespace tc::subcore
