// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <ostream>
#include <random>
#include <utility>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/peq_with_cb_and_phase.h>

#include "response_queue.hpp"

namespace tc::stand_ins {

/// How a target of the base protocol answers a request (IEEE 1666-2011, section 15.2).
enum class answer_style {
  completed,                   ///< in the call, with the latency in the annotated delay
  updated_begin_response,      ///< in the call too, with a response phase; accepted where a response is still open
  accepted,                    ///< END_REQ when the request arrives, BEGIN_RESP when the latency is over
  accepted_skips_end_request,  ///< BEGIN_RESP alone: the next request waits for it
  random                       ///< any of these
};

inline std::ostream& operator<<(std::ostream& out, answer_style style) {
  static constexpr const char* names[] = {"completed", "updated_begin_response", "accepted", "accepted_skips_end_request", "random"};
  return out << names[static_cast<std::size_t>(style)];
}

/// A base-protocol target socket that answers in a chosen style; what an access does and how long its answer takes is up to the owner.
class answering_port final : public sc_core::sc_module {
 public:
  using payload_type = tlm::tlm_generic_payload;
  /// Executes an access that arrives at a time, now or later, and sets its response status.
  using access_callback = std::function<void(payload_type&, const sc_core::sc_time& arrival)>;
  using latency_callback = std::function<sc_core::sc_time(const payload_type&)>;
  using debug_callback = std::function<unsigned(payload_type&)>;

  tlm_utils::passthrough_target_socket<answering_port> socket{"socket"};

  answering_port(const sc_core::sc_module_name& module_name, answer_style style, access_callback access, latency_callback latency,
                 debug_callback debug)
      : sc_module(module_name),
        style_(style),
        access_(std::move(access)),
        latency_(std::move(latency)),
        debug_(std::move(debug)),
        events_(this, &answering_port::due) {
    socket.register_b_transport(this, &answering_port::blocking);
    socket.register_nb_transport_fw(this, &answering_port::forward);
    socket.register_transport_dbg(this, &answering_port::debug);
  }

 private:
  void execute(payload_type& payload, sc_core::sc_time& delay) {
    access_(payload, sc_core::sc_time_stamp() + delay);
    delay += latency_(payload);
  }

  void blocking(payload_type& payload, sc_core::sc_time& delay) { execute(payload, delay); }
  unsigned debug(payload_type& payload) { return debug_(payload); }

  answer_style choose() {
    return style_ == answer_style::random ? static_cast<answer_style>(random_() % static_cast<unsigned>(answer_style::random)) : style_;
  }

  tlm::tlm_sync_enum forward(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      events_.notify(payload, phase, delay);
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;  // an ignorable phase
    const answer_style style = choose();
    if (style == answer_style::completed) {
      execute(payload, delay);
      return tlm::TLM_COMPLETED;
    }
    payload.acquire();
    if (style == answer_style::updated_begin_response && responses_.is_free()) {  // one response at a time
      execute(payload, delay);
      responses_.begin_in_call(payload);
      phase = tlm::BEGIN_RESP;
      return tlm::TLM_UPDATED;
    }
    ends_request_ = style == answer_style::accepted;
    events_.notify(payload, tlm::BEGIN_REQ, delay);
    return tlm::TLM_ACCEPTED;
  }

  void due(payload_type& payload, const tlm::tlm_phase& phase) {
    if (phase == tlm::BEGIN_REQ) {
      arrived(payload);
    } else if (phase == tlm::BEGIN_RESP) {
      responses_.push(payload);
    } else {
      responses_.end();
    }
  }

  void arrived(payload_type& payload) {
    sc_core::sc_time delay, none;
    execute(payload, delay);
    events_.notify(payload, tlm::BEGIN_RESP, delay);
    if (!ends_request_) return;
    tlm::tlm_phase phase = tlm::END_REQ;
    socket->nb_transport_bw(payload, phase, none);
  }

  answer_style style_;
  access_callback access_;
  latency_callback latency_;
  debug_callback debug_;
  tlm_utils::peq_with_cb_and_phase<answering_port> events_;
  std::mt19937 random_{1};
  bool ends_request_ = false;  // of the one request that has arrived or is on its way and has not ended
  response_queue responses_{socket, [](payload_type&) { return sc_core::SC_ZERO_TIME; }};
};

}  // namespace tc::stand_ins
