// SPDX-License-Identifier: Apache-2.0
#include "b_buffer.hpp"

#include <algorithm>

namespace tc::subcore {

namespace {

constexpr const char* no_such_tile = "the buffer has no such tile";

tlm::tlm_sync_enum refuse_tile(links::b_tile_transfer& transfer, const char* why, cycle_t until) {
  transfer.refusal = why;
  transfer.complete = until;
  return tlm::TLM_COMPLETED;
}

}  // namespace

b_buffer::b_buffer(const sc_core::sc_module_name& module_name, const params& parameters)
    : sc_module(module_name),
      read("read", parameters.readers),
      params_(parameters),
      tiles_(parameters.tiles),
      content_(std::size_t{parameters.tiles} * parameters.tile_words()),
      promised_(parameters.tiles) {
  for (unsigned r = 0; r < fill_cycles_.size(); ++r)
    fill_cycles_[r] = (r + parameters.registers_per_cycle - 1) / parameters.registers_per_cycle;
  fill.serve<&b_buffer::fill_tile>(*this);
  for (auto& port : read) {
    port.serve<&b_buffer::read_tile, &b_buffer::show_tile>(*this);
  }
}

b_buffer::~b_buffer() = default;

tlm::tlm_sync_enum b_buffer::fill_tile(links::b_tile_transfer& transfer, tlm::tlm_phase&, sc_core::sc_time&) {
  if (!has(transfer)) return refuse_tile(transfer, no_such_tile, transfer.arrival);
  tile& target = tiles_[transfer.tile];
  if (transfer.arrival < target.last_read) return refuse_tile(transfer, "what it holds is yet to be read", target.last_read);
  if (transfer.words != nullptr) std::copy_n(transfer.words, transfer.registers * params_.lanes, words_of(transfer.tile));
  target.filled = transfer.complete = transfer.arrival + fill_cycles_[transfer.registers];
  ++fills_;
  registers_filled_ += transfer.registers;
  return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum b_buffer::read_tile(links::b_tile_transfer& transfer, tlm::tlm_phase&, sc_core::sc_time&) {
  if (!has(transfer)) return refuse_tile(transfer, no_such_tile, transfer.arrival);
  tile& source = tiles_[transfer.tile];
  if (transfer.arrival < source.filled) return refuse_tile(transfer, "it is yet to be filled", source.filled);
  transfer.words = words_of(transfer.tile);
  source.last_read = std::max(source.last_read, transfer.arrival);
  ++reads_;
  return tlm::TLM_COMPLETED;
}

unsigned b_buffer::show_tile(links::b_tile_transfer& transfer) {
  if (!has(transfer)) return 0;
  transfer.words = words_of(transfer.tile);
  return params_.tile_bytes();
}

void b_buffer::reset() {
  std::fill(content_.begin(), content_.end(), 0);
  std::fill(tiles_.begin(), tiles_.end(), tile{});
  promised_.reset();
  fills_ = registers_filled_ = reads_ = 0;
}

void b_buffer::collect(fabric::statistics_sink& sink) const {
  sink.count("fills", fills_, "fills", "Tiles of B that were filled");
  sink.count("registers_filled", registers_filled_, "registers", "Registers of B that were written");
  sink.bytes("bytes_filled", registers_filled_ * params_.register_bytes(), "Bytes of these");
  sink.count("reads", reads_, "reads", "Tiles that a tensor core read");
}

}  // namespace tc::subcore
