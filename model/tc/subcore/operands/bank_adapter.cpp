// SPDX-License-Identifier: Apache-2.0
#include "bank_adapter.hpp"

#include <algorithm>
#include <array>

#include <tc/fabric/extensions.hpp>
#include <tc/isa/warp_lanes.hpp>
#include <tc/links/arrival_cycle.hpp>

namespace tc::subcore {

namespace {

constexpr unsigned row_bytes = links::bank_protocol::row_bytes;
constexpr std::uint32_t all_lanes = isa::all_warp_lanes;
struct bank_link {
  const char *kind, *initiator;
};
constexpr std::array<bank_link, 3> bank_links{{{"bank_read", "to_read"}, {"bank_write", "to_write"}, {"accumulator", "to_accumulator"}}};

}  // namespace

/// What a payload stands for, and the data of a write until the bank is done with it. Sticky, like warp_tag.
struct bank_adapter::request final : tlm::tlm_extension<bank_adapter::request> {
  pending* part_of = nullptr;
  links::row_range range{};
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
  read.serve<&bank_adapter::forward<read_port>>(*this);
  write.serve<&bank_adapter::forward<write_port>, &bank_adapter::debug>(*this);
  accumulator.serve<&bank_adapter::forward<accumulator_port>>(*this);
  for (std::size_t i = 0; i < std::min(sockets.size(), bank_links.size()); ++i) {
    bank_.push_back(std::make_unique<fabric::base_protocol_initiator>(bank_links[i].initiator,
                                                                      [this](auto& payload, const auto& delay) { done(payload, delay); }));
    binder.bind(bank_links[i].kind, *bank_.back(), *sockets[i]);
  }
}

bank_adapter::~bank_adapter() = default;

template <bank_adapter::port Port>
tlm::tlm_sync_enum bank_adapter::forward(links::bank_transfer& transfer, tlm::tlm_phase&, sc_core::sc_time&) {
  return send(Port, transfer);
}

tlm::tlm_sync_enum bank_adapter::send(port from, links::bank_transfer& transfer) {
  pending& asked = pending_.get();
  asked = {&transfer, from, 1};  // one for this function
  transfer.done = transfer.arrival;
  transfer.status = tlm::TLM_OK_RESPONSE;
  for (std::uint32_t r = 0; r < transfer.range_count; ++r) send_range(asked, transfer.ranges[r]);
  if (--asked.outstanding != 0) return tlm::TLM_ACCEPTED;
  pending_.put_back(asked);
  return tlm::TLM_COMPLETED;
}

void bank_adapter::send_range(pending& asked, const links::row_range& range) {
  const links::bank_transfer& transfer = *asked.transfer;
  tlm::tlm_generic_payload& payload = payloads_.get();
  request& part = request::of(payload);
  part.part_of = &asked;
  part.range = range;
  if (transfer.command == tlm::TLM_WRITE_COMMAND)
    set_write(payload, part, range);
  else
    fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, std::uint64_t{transfer.first_row(range)} * row_bytes,
                           reinterpret_cast<unsigned char*>(transfer.room[range.position].data()), range.rows * row_bytes);
  fabric::warp_tag::mark(payload, transfer.warp_slot, transfer.record);
  ++asked.outstanding;
  bank_[asked.from]->send(payload, clock_.delay_to(transfer.arrival));
}

void bank_adapter::set_write(tlm::tlm_generic_payload& payload, request& asked, const links::row_range& range) {
  const links::bank_transfer& transfer = *asked.part_of->transfer;
  const std::uint32_t first_row = transfer.first_row(range);
  asked.rows.resize(range.rows);
  for (unsigned i = 0; i < range.rows; ++i) {
    asked.rows[i] = transfer.values[range.position + i * transfer.stride];
    on_the_way_.add(first_row + i, transfer.arrival, transfer.lanes, asked.rows[i], clock_.cycle());
  }
  fabric::set_attributes(payload, tlm::TLM_WRITE_COMMAND, std::uint64_t{first_row} * row_bytes,
                         reinterpret_cast<unsigned char*>(asked.rows.data()), range.rows * row_bytes);
  if (transfer.lanes == all_lanes) return;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
    std::fill_n(asked.enables.begin() + lane * sizeof(std::uint32_t), sizeof(std::uint32_t),
                (transfer.lanes >> lane & 1U) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED);
  payload.set_byte_enable_ptr(asked.enables.data());
  payload.set_byte_enable_length(row_bytes);
}

void bank_adapter::done(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const request& part = request::of(payload);
  pending& asked = *part.part_of;
  const links::row_range range = part.range;
  links::bank_transfer& transfer = *asked.transfer;
  transfer.done = std::max(transfer.done, links::arrival_cycle(clock_, delay));
  if (!payload.is_response_ok()) transfer.status = payload.get_response_status();
  payload.release();
  for (unsigned i = 0; transfer.command == tlm::TLM_READ_COMMAND && i < range.rows; ++i) {
    const unsigned position = range.position + i;
    on_the_way_.bring(transfer.first_row(range) + i, transfer.arrival, transfer.arrival + range.late_cycles, transfer.room[position]);
    if (transfer.found != nullptr) transfer.found[position] = &transfer.room[position];
  }
  if (--asked.outstanding == 0) finish(asked);
}

void bank_adapter::finish(pending& asked) {
  links::bank_transfer& transfer = *asked.transfer;
  const port from = asked.from;
  pending_.put_back(asked);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time none = sc_core::SC_ZERO_TIME;
  socket_of(from)->nb_transport_bw(transfer, phase, none);
}

fabric::transfer_target<links::bank_protocol>& bank_adapter::socket_of(port number) {
  if (number == read_port) return read;
  return number == write_port ? write : accumulator;
}

unsigned bank_adapter::debug(links::bank_transfer& transfer) {
  sc_assert(transfer.range_count == 1 && transfer.ranges->rows == 1);
  tlm::tlm_generic_payload payload;
  warp::lane_vector value = transfer.command == tlm::TLM_WRITE_COMMAND ? *transfer.values : warp::lane_vector{};
  fabric::set_attributes(payload, transfer.command, std::uint64_t{transfer.first_row(*transfer.ranges)} * row_bytes,
                         reinterpret_cast<unsigned char*>(value.data()), row_bytes);
  const unsigned moved = (*bank_[write_port])->transport_dbg(payload);
  if (transfer.command == tlm::TLM_READ_COMMAND && moved == row_bytes) *transfer.room = value;
  return moved;
}

}  // namespace tc::subcore
