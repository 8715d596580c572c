// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <ostream>
#include <random>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/peq_with_cb_and_phase.h>

#include "response_queue.hpp"

namespace tc::stand_ins {

/// How a target answers a request.
enum class answer { completed, updated_end_request, updated_begin_response, accepted, accepted_skips_end_request, random };

inline std::ostream& operator<<(std::ostream& out, answer way) {
  static constexpr const char* names[] = {"completed", "updated_end_request",        "updated_begin_response",
                                          "accepted",  "accepted_skips_end_request", "random"};
  return out << names[static_cast<std::size_t>(way)];
}

/// A correct base-protocol target that answers in a chosen or a random way, after random delays, and in any order. What an access does is
/// up to the owner, and happens when it is answered; without an owner the address is written into the data of a read. It follows the
/// response exclusion rule: responses that are ready wait for the END_RESP of the one before. Blocking calls wait, or annotate a delay.
class random_target final : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<random_target> socket{"socket"};

  /// What an access does; it sets the response status.
  std::function<void(tlm::tlm_generic_payload&)> access = answer_with_address;
  std::function<unsigned(tlm::tlm_generic_payload&)> debug = [](auto&) { return 0U; };
  std::function<bool(tlm::tlm_generic_payload&, tlm::tlm_dmi&)> direct = [](auto&, auto&) { return false; };

  random_target(const sc_core::sc_module_name& name, answer way, unsigned seed, unsigned max_delay_ns)
      : sc_module(name), way_(way), random_(seed), max_delay_ns_(max_delay_ns), events_(this, &random_target::due) {
    socket.register_nb_transport_fw(this, &random_target::forward);
    socket.register_b_transport(this, &random_target::blocking);
    socket.register_transport_dbg(this, &random_target::debug_transport);
    socket.register_get_direct_mem_ptr(this, &random_target::direct_memory);
  }

  unsigned requests = 0;

 private:
  sc_core::sc_time random_delay() { return sc_core::sc_time(static_cast<double>(random_() % (max_delay_ns_ + 1)), sc_core::SC_NS); }

  answer choose() { return way_ == answer::random ? static_cast<answer>(random_() % static_cast<unsigned>(answer::random)) : way_; }

  static void answer_with_address(tlm::tlm_generic_payload& payload) {
    payload.get_data_ptr()[0] = static_cast<unsigned char>(payload.get_address());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  void blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    ++requests;
    if (random_() % 2 == 0) {
      sc_core::wait(delay + random_delay());
      delay = sc_core::SC_ZERO_TIME;
    }
    access(payload);
    delay += random_delay();
  }
  unsigned debug_transport(tlm::tlm_generic_payload& payload) { return debug(payload); }
  bool direct_memory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) { return direct(payload, region); }

  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      events_.notify(payload, phase, delay);
      return random_() % 2 == 0 ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
    }
    ++requests;
    switch (choose()) {
      case answer::completed:
        access(payload);
        delay += random_delay();
        return tlm::TLM_COMPLETED;
      case answer::updated_end_request:
        payload.acquire();
        phase = tlm::END_REQ;
        delay += random_delay();
        events_.notify(payload, tlm::BEGIN_RESP, delay + random_delay());
        return tlm::TLM_UPDATED;
      case answer::updated_begin_response:
        if (responses_.is_free()) {  // otherwise the exclusion rule forbids it
          payload.acquire();
          access(payload);
          responses_.begin_in_call(payload);
          phase = tlm::BEGIN_RESP;
          delay += random_delay();
          return tlm::TLM_UPDATED;
        }
        [[fallthrough]];
      case answer::accepted_skips_end_request:
        payload.acquire();
        events_.notify(payload, tlm::BEGIN_RESP, delay + random_delay());
        return tlm::TLM_ACCEPTED;
      default:
        payload.acquire();
        events_.notify(payload, tlm::END_REQ, delay + random_delay());
        return tlm::TLM_ACCEPTED;
    }
  }

  void due(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
    if (phase == tlm::END_REQ) {
      tlm::tlm_phase sent = tlm::END_REQ;
      sc_core::sc_time delay = random_delay();
      events_.notify(payload, tlm::BEGIN_RESP, delay + random_delay());
      socket->nb_transport_bw(payload, sent, delay);
    } else if (phase == tlm::BEGIN_RESP) {
      responses_.push(payload);
    } else {
      responses_.end();
    }
  }

  sc_core::sc_time begin_response(tlm::tlm_generic_payload& payload) {
    access(payload);
    return random_delay();
  }

  answer way_;
  std::mt19937 random_;
  unsigned max_delay_ns_;
  tlm_utils::peq_with_cb_and_phase<random_target> events_;
  response_queue responses_{socket, [this](auto& payload) { return begin_response(payload); }};
};

}  // namespace tc::stand_ins
