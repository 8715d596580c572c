#pragma once

#include <deque>
#include <random>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>

namespace tc::subcore::test {

/// Turns a memory that completes at once into a four-phase one of another make: it takes a request at a time, answers each after a random
/// delay and so in another order, and knows no extension.
class late_link final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<late_link> memory{"memory"};
  tlm_utils::passthrough_target_socket<late_link> socket{"socket"};

  late_link(const sc_core::sc_module_name& name, unsigned seed, unsigned max_delay_ns)
      : sc_module(name), random_(seed), max_delay_ns_(max_delay_ns), events_(this, &late_link::due) {
    socket.register_nb_transport_fw(this, &late_link::forward);
  }

 private:
  sc_core::sc_time random_delay() { return sc_core::sc_time(static_cast<double>(random_() % (max_delay_ns_ + 1)), sc_core::SC_NS); }

  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    payload.acquire();
    events_.notify(payload, tlm::END_REQ, delay + random_delay());
    return tlm::TLM_ACCEPTED;
  }

  void execute(tlm::tlm_generic_payload& payload) {
    sc_core::sc_time ignored;
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    } else {
      memory->b_transport(payload, ignored);
    }
  }

  void due(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
    if (phase == tlm::END_REQ) {
      execute(payload);
      tlm::tlm_phase sent = tlm::END_REQ;
      sc_core::sc_time delay;
      events_.notify(payload, tlm::BEGIN_RESP, random_delay());
      socket->nb_transport_bw(payload, sent, delay);
      return;
    }
    tlm::tlm_phase sent = tlm::BEGIN_RESP;
    sc_core::sc_time delay = random_delay();
    const tlm::tlm_sync_enum result = socket->nb_transport_bw(payload, sent, delay);
    sc_assert(result == tlm::TLM_COMPLETED);
    payload.release();
  }

  std::mt19937 random_;
  unsigned max_delay_ns_;
  tlm_utils::peq_with_cb_and_phase<late_link> events_;
};

}  // namespace tc::subcore::test
