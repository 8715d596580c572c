// SPDX-License-Identifier: Apache-2.0
#include "base_protocol_initiator.hpp"

#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn; must precede the first SystemC header
#include <string>
#include <utility>

#include <tc/fabric/local_time.hpp>
#include <tc/fabric/reports.hpp>

namespace tc::fabric {

namespace {

sc_core::sc_time until(const sc_core::sc_time& time) {
  const sc_core::sc_time now = local_time::now();
  return time > now ? time - now : sc_core::SC_ZERO_TIME;
}

}  // namespace

base_protocol_initiator::base_protocol_initiator(const char* name, done_callback done)
    : simple_initiator_socket(name), done_(std::move(done)), open_event_((std::string(basename()) + "_open").c_str()) {
  register_nb_transport_bw(this, &base_protocol_initiator::backward);
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&open_event_);
  sc_core::sc_spawn([this] { open(); }, (std::string(basename()) + "_resume").c_str(), &options);
}

void base_protocol_initiator::on_invalidation(invalidation_callback invalidated) {
  invalidated_ = std::move(invalidated);
  register_invalidate_direct_mem_ptr(this, &base_protocol_initiator::invalidate);
}

void base_protocol_initiator::send(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  ++outstanding_;
  if (closed_) {
    waiting_.push_back({&payload, local_time::now() + delay});
    return;
  }
  issue(payload, delay);
  if (waiting() != 0) drain();
}

/// Sends one BEGIN_REQ and deals with the answer. The link is closed meanwhile, so that a callback which sends again queues its request
/// instead of nesting, however long the chain.
void base_protocol_initiator::issue(tlm::tlm_generic_payload& payload, sc_core::sc_time delay) {
  closed_ = true;
  requesting_ = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  switch ((*this)->nb_transport_fw(payload, phase, delay)) {
    case tlm::TLM_COMPLETED:
      requesting_ = nullptr;
      finish(payload, delay);
      closed_ = false;
      break;
    case tlm::TLM_UPDATED:
      updated(payload, phase, delay);
      break;
    case tlm::TLM_ACCEPTED:
      break;
  }
}

/// The target sent its next phase on the return path.
void base_protocol_initiator::updated(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  switch (static_cast<unsigned>(phase)) {
    case tlm::END_REQ:
      open_at(delay);
      break;
    case tlm::BEGIN_RESP:  // implies END_REQ
      open_at(delay);
      end_response(payload, delay);
      finish(payload, delay);
      break;
    default:
      error(report::initiator_phase, name(), std::string("the request was answered with the phase ") + phase.get_name());
      break;
  }
}

/// Accepts the response at the moment it begins.
void base_protocol_initiator::end_response(tlm::tlm_generic_payload& payload, sc_core::sc_time delay) {
  tlm::tlm_phase phase = tlm::END_RESP;
  if ((*this)->nb_transport_fw(payload, phase, delay) == tlm::TLM_UPDATED) {
    error(report::initiator_result, name(), "END_RESP was answered with TLM_UPDATED");
  }
}

void base_protocol_initiator::finish(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  --outstanding_;
  done_(payload, delay);
}

/// The request in progress ends `delay` from now. The next one leaves from a process of its own, never from inside a call of the peer.
void base_protocol_initiator::open_at(const sc_core::sc_time& delay) {
  requesting_ = nullptr;
  local_time::notify(open_event_, delay);
}

void base_protocol_initiator::open() {
  closed_ = false;
  drain();
}

void base_protocol_initiator::drain() {
  while (!closed_ && waiting() != 0) {
    const request next = next_waiting();
    issue(*next.payload, until(next.arrival));
  }
}

/// Takes the first. What has left is cleared away when it is half of the queue, so that a long one costs no more for each request.
base_protocol_initiator::request base_protocol_initiator::next_waiting() {
  request next = waiting_[first_waiting_++];
  if (2 * first_waiting_ >= waiting_.size()) {
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(first_waiting_));
    first_waiting_ = 0;
  }
  return next;
}

/// A response on the backward path. What the owner sends from its callback leaves after the peer's call has returned.
void base_protocol_initiator::respond(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  if (&payload == requesting_) open_at(delay);  // END_REQ is implied
  const bool was_open = !std::exchange(closed_, true);
  finish(payload, delay);
  if (!was_open) return;
  if (waiting() == 0) {
    closed_ = false;
  } else {
    local_time::notify(open_event_, sc_core::SC_ZERO_TIME);
  }
}

tlm::tlm_sync_enum base_protocol_initiator::backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (is_extended(phase)) return tlm::TLM_ACCEPTED;
  if (phase == tlm::END_REQ && &payload == requesting_) {
    open_at(delay);
    return tlm::TLM_ACCEPTED;
  }
  if (phase == tlm::BEGIN_RESP && outstanding_ > waiting()) {
    respond(payload, delay);
    return tlm::TLM_COMPLETED;
  }
  error(report::initiator_phase, name(), std::string("unexpected backward phase ") + phase.get_name());
  return tlm::TLM_ACCEPTED;
}

}  // namespace tc::fabric
