// SPDX-License-Identifier: Apache-2.0
#include "bank_adapter.hpp"

#include <algorithm>
#include <array>

#include <tc/fabric/extensions.hpp>
#include <tc/links/arrival_cycle.hpp>

namespace tc::subcore {

namespace {

constexpr unsigned row_bytes = links::bank_protocol::row_bytes;
constexpr std::uint32_t all_lanes = 0xffffffff;
constexpr std::array<const char*, 3> link_names{"bank_read", "bank_write", "accumulator"};

}  // namespace

/// What a payload stands for, and the data of a write until the bank is done with it. Sticky, like warp_tag.
struct bank_adapter::request final : tlm::tlm_extension<bank_adapter::request> {
  links::bank_transfer* transfer = nullptr;
  port from = read_port;
  bool is_calling = false;  ///< the sub-core's call has not returned
  bool is_done = false;
  std::vector<warp::lane_vector> rows{};
  std::array<unsigned char, row_bytes> enables{};

  static request& of(tlm::tlm_generic_payload& payload) {
    auto* found = payload.get_extension<request>();
    if (found == nullptr) payload.set_extension(found = new request);
    return *found;
  }
  tlm::tlm_extension_base* clone() const override { return new request(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const request&>(other); }
};

bank_adapter::bank_adapter(const sc_core::sc_module_name& module_name,
                           const std::vector<links::link_target<links::link_binder::memory_protocol>*>& sockets,
                           fabric::clock_domain& clock, links::link_binder& binder)
    : sc_module(module_name), clock_(clock) {
  read.register_nb_transport_fw(this, &bank_adapter::forward<read_port>);
  write.register_nb_transport_fw(this, &bank_adapter::forward<write_port>);
  accumulator.register_nb_transport_fw(this, &bank_adapter::forward<accumulator_port>);
  write.register_transport_dbg(this, &bank_adapter::debug);
  for (std::size_t i = 0; i < std::min(sockets.size(), link_names.size()); ++i) {
    bank_.push_back(std::make_unique<fabric::base_protocol_initiator>(link_names[i],
                                                                      [this](auto& payload, const auto& delay) { done(payload, delay); }));
    binder.bind(link_names[i], *bank_.back(), *sockets[i]);
  }
}

bank_adapter::~bank_adapter() = default;

template <bank_adapter::port Port>
tlm::tlm_sync_enum bank_adapter::forward(links::bank_transfer& transfer, tlm::tlm_phase&, sc_core::sc_time&) {
  return send(Port, transfer);
}

tlm::tlm_sync_enum bank_adapter::send(port from, links::bank_transfer& transfer) {
  tlm::tlm_generic_payload& payload = payloads_.get();
  request& asked = request::of(payload);
  asked.transfer = &transfer;
  asked.from = from;
  asked.is_calling = true;
  asked.is_done = false;
  if (transfer.command == tlm::TLM_WRITE_COMMAND)
    set_write(payload, asked, transfer);
  else
    fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, std::uint64_t{transfer.first_row} * row_bytes,
                           reinterpret_cast<unsigned char*>(transfer.room->data()), transfer.rows * row_bytes);
  fabric::warp_tag::mark(payload, transfer.warp_slot, transfer.record);
  payload.acquire();
  bank_[from]->send(payload, clock_.delay_to(transfer.arrival));
  asked.is_calling = false;
  const bool is_done = asked.is_done;
  payload.release();
  return is_done ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void bank_adapter::set_write(tlm::tlm_generic_payload& payload, request& asked, const links::bank_transfer& transfer) {
  asked.rows.resize(transfer.rows);
  for (std::uint32_t i = 0; i < transfer.rows; ++i) {
    asked.rows[i] = transfer.values[i * transfer.stride];
    on_the_way_.add(transfer.first_row + i, transfer.arrival, transfer.lanes, asked.rows[i], clock_.cycle());
  }
  fabric::set_attributes(payload, tlm::TLM_WRITE_COMMAND, std::uint64_t{transfer.first_row} * row_bytes,
                         reinterpret_cast<unsigned char*>(asked.rows.data()), transfer.rows * row_bytes);
  if (transfer.lanes == all_lanes) return;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
    std::fill_n(asked.enables.begin() + lane * sizeof(std::uint32_t), sizeof(std::uint32_t),
                (transfer.lanes >> lane & 1U) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED);
  payload.set_byte_enable_ptr(asked.enables.data());
  payload.set_byte_enable_length(row_bytes);
}

void bank_adapter::done(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  request& asked = request::of(payload);
  links::bank_transfer& transfer = *asked.transfer;
  transfer.done = links::arrival_cycle(clock_, delay);
  transfer.status = payload.get_response_status();
  const bool is_calling = asked.is_calling;
  const port from = asked.from;
  asked.is_done = true;
  payload.release();
  for (std::uint32_t i = 0; transfer.command == tlm::TLM_READ_COMMAND && i < transfer.rows; ++i) {
    on_the_way_.bring(transfer.first_row + i, transfer.arrival, transfer.bypass_until, transfer.room[i]);
    if (transfer.found != nullptr) transfer.found[i] = transfer.room + i;
  }
  if (is_calling) return;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time none = sc_core::SC_ZERO_TIME;
  socket_of(from)->nb_transport_bw(transfer, phase, none);
}

links::bank_target<bank_adapter>& bank_adapter::socket_of(port number) {
  if (number == read_port) return read;
  return number == write_port ? write : accumulator;
}

unsigned bank_adapter::debug(links::bank_transfer& transfer) {
  sc_assert(transfer.rows == 1);
  tlm::tlm_generic_payload payload;
  warp::lane_vector value = transfer.command == tlm::TLM_WRITE_COMMAND ? *transfer.values : warp::lane_vector{};
  fabric::set_attributes(payload, transfer.command, std::uint64_t{transfer.first_row} * row_bytes,
                         reinterpret_cast<unsigned char*>(value.data()), row_bytes);
  const unsigned moved = (*bank_[write_port])->transport_dbg(payload);
  if (transfer.command == tlm::TLM_READ_COMMAND && moved == row_bytes) *transfer.room = value;
  return moved;
}

}  // namespace tc::subcore
