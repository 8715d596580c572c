// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <gtest/gtest.h>

#include <tc/fabric/dataflow_monitors.hpp>

namespace tc::fabric::request_monitor_test {
namespace {

struct question {};
struct question_protocol {
  using tlm_payload_type = question;
  using tlm_phase_type = tlm::tlm_phase;
};

/// Both ends of a link, with a monitor between them.
class monitored_link final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<monitored_link, base_link_width_bits, question_protocol> out{"out"};
  tlm_utils::passthrough_target_socket<monitored_link, base_link_width_bits, question_protocol> in{"in"};
  request_monitor<question_protocol> monitor{"monitor"};
  question first, second;
  tlm::tlm_sync_enum forward = tlm::TLM_COMPLETED, backward = tlm::TLM_COMPLETED;  ///< how calls are answered
  std::function<void(tlm::tlm_phase&, sc_core::sc_time&)> change = [](auto&, auto&) {};

  explicit monitored_link(const sc_core::sc_module_name& module_name) : sc_module(module_name) {
    in.register_nb_transport_fw(this, &monitored_link::asked);
    out.register_nb_transport_bw(this, &monitored_link::answered);
    out.bind(monitor.target);
    monitor.initiator.bind(in);
  }

  tlm::tlm_sync_enum ask(question& payload, tlm::tlm_phase phase = tlm::BEGIN_REQ) {
    sc_core::sc_time delay(3, sc_core::SC_NS);
    return out->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum answer(question& payload, tlm::tlm_phase phase = tlm::BEGIN_RESP) {
    sc_core::sc_time delay;
    return in->nb_transport_bw(payload, phase, delay);
  }

 private:
  tlm::tlm_sync_enum asked(question&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    change(phase, delay);
    return forward;
  }
  tlm::tlm_sync_enum answered(question&, tlm::tlm_phase&, sc_core::sc_time&) { return backward; }
};

TEST(request_monitor, passes_answers_in_the_call_and_later_ones_in_any_order) {
  monitored_link link("link");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(link.ask(link.first), tlm::TLM_COMPLETED);
  link.forward = tlm::TLM_UPDATED;
  link.change = [](auto& phase, auto& delay) {
    phase = tlm::BEGIN_RESP;
    delay += sc_core::sc_time(1, sc_core::SC_NS);
  };
  EXPECT_EQ(link.ask(link.first), tlm::TLM_UPDATED);
  link.forward = tlm::TLM_ACCEPTED;
  link.change = [](auto&, auto&) {};
  link.ask(link.first);
  link.ask(link.second);
  EXPECT_EQ(link.answer(link.second), tlm::TLM_COMPLETED);
  EXPECT_EQ(link.answer(link.first), tlm::TLM_COMPLETED);
  EXPECT_EQ(link.monitor.transactions(), 4U);
}

DECLARE_EXTENDED_PHASE(QUESTION_ANNOUNCED);

TEST(request_monitor, passes_phases_of_the_link_that_are_completed) {
  monitored_link link("link");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(link.ask(link.first, QUESTION_ANNOUNCED), tlm::TLM_COMPLETED);
  EXPECT_EQ(link.ask(link.first), tlm::TLM_COMPLETED);
  EXPECT_EQ(link.monitor.transactions(), 1U);
  link.forward = tlm::TLM_ACCEPTED;
  EXPECT_THROW(link.ask(link.first, QUESTION_ANNOUNCED), sc_core::sc_report);
}

TEST(request_monitor, reports_what_the_rules_forbid) {
  monitored_link link("link");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_THROW(link.ask(link.first, tlm::END_RESP), sc_core::sc_report);
  EXPECT_THROW(link.answer(link.first), sc_core::sc_report) << "there is no request";
  link.change = [](auto&, auto& delay) { delay = sc_core::SC_ZERO_TIME; };
  EXPECT_THROW(link.ask(link.first), sc_core::sc_report) << "it arrives before it was sent";
  link.change = [](auto&, auto&) {};
  link.forward = tlm::TLM_UPDATED;
  EXPECT_THROW(link.ask(link.first), sc_core::sc_report) << "the phase is still BEGIN_REQ";
  link.forward = tlm::TLM_ACCEPTED;
  link.ask(link.first);
  EXPECT_THROW(link.ask(link.first), sc_core::sc_report) << "it is under way";
  EXPECT_THROW(link.answer(link.first, tlm::END_REQ), sc_core::sc_report);
  link.backward = tlm::TLM_ACCEPTED;
  EXPECT_THROW(link.answer(link.first), sc_core::sc_report) << "the answer is not completed";
}

}  // namespace
}  // namespace tc::fabric::request_monitor_test
