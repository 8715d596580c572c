// SPDX-License-Identifier: Apache-2.0
#include "memory_transfers.hpp"

#include <algorithm>
#include <utility>

#include <tc/links/edge_stage.hpp>

namespace tc::platform {

memory_transfers::memory_transfers(const sc_core::sc_module_name& module_name, unsigned outstanding, fabric::clock_domain& clock)
    : sc_module(module_name),
      port("port", [this](tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) { answered(payload, delay); }),
      clock_(clock),
      id_(links::add_unit(clock, *this, links::edge_stage::platform)),
      most_(outstanding) {}

memory_transfers::~memory_transfers() = default;

void memory_transfers::read(std::uint64_t address, std::uint8_t* destination, std::uint64_t bytes, done_callback done) {
  add({tlm::TLM_READ_COMMAND, address, destination, bytes, std::move(done)});
}

void memory_transfers::write(std::uint64_t address, std::uint8_t* source, std::uint64_t bytes, done_callback done) {
  add({tlm::TLM_WRITE_COMMAND, address, source, bytes, std::move(done)});
}

void memory_transfers::add(job next) {
  jobs_.push_back(std::move(next));
  if (jobs_.size() == 1) wake();
}

void memory_transfers::drop() {
  jobs_.clear();
  sent_ = 0;
  has_failed_ = false;
  is_dropping_ = true;
  wake();
}

/// Begins a job, or ends one whose answers are all valid.
void memory_transfers::evaluate(fabric::cycle_t) {
  if (port.outstanding() != 0) return;  // the last answer wakes
  if (sc_core::sc_time_stamp() < valid_) return wake();
  if (std::exchange(is_dropping_, false) && dropped_) dropped_();
  if (jobs_.empty()) return;
  if (sent_ < jobs_.front().bytes && !has_failed_) return send();
  const job ended = std::move(jobs_.front());
  jobs_.pop_front();
  sent_ = 0;
  const bool ok = !std::exchange(has_failed_, false);
  if (!jobs_.empty()) wake();
  ended.done(ok);
}

/// What may be on its way of the first job. A target may answer in the call.
void memory_transfers::send() {
  if (std::exchange(is_sending_, true)) return;
  while (!jobs_.empty() && !has_failed_ && !is_dropping_ && sent_ < jobs_.front().bytes && port.outstanding() < most_) {
    const job& current = jobs_.front();
    const std::uint64_t address = current.address + sent_, in_line = line_bytes - address % line_bytes;
    const auto bytes = static_cast<unsigned>(std::min(in_line, current.bytes - sent_));
    tlm::tlm_generic_payload& payload = payloads_.get();
    fabric::set_attributes(payload, current.command, address, current.data + sent_, bytes);
    sent_ += bytes;
    port.send(payload);
  }
  is_sending_ = false;
  if (port.outstanding() == 0) wake();
}

/// In the first edge behind the latest answer, whoever runs first when they fall together.
void memory_transfers::wake() {
  const sc_core::sc_time now = sc_core::sc_time_stamp(), delay = valid_ > now ? valid_ - now : sc_core::SC_ZERO_TIME;
  clock_.wake(id_, clock_.edge_at(delay + sc_core::sc_get_time_resolution()));
}

void memory_transfers::answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  if (!payload.is_response_ok()) has_failed_ = !is_dropping_;
  payload.release();
  valid_ = std::max(valid_, sc_core::sc_time_stamp() + delay);
  send();
}

}  // namespace tc::platform
