// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/fabric/reports.hpp>

#include "base_protocol_monitor_fixture.hpp"

namespace tc::fabric::base_protocol_monitor_suite {
namespace {

using payload_type = tlm::tlm_generic_payload;
using sc_core::SC_NS;
using sc_core::sc_time;

// Legal sequences pass.

TEST_F(base_protocol_monitor_test, counts_a_transaction_completed_at_once) {
  payload_type& payload = write();
  EXPECT_EQ(initiator.forward(payload, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);
  payload.release();
  EXPECT_EQ(monitor.transactions(), 1u);
  EXPECT_EQ(broken_rule([&] { monitor.check_end(); }), "");
}

TEST_F(base_protocol_monitor_test, passes_four_phases) {
  payload_type& payload = accepted_write();
  initiator.on_backward = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
  EXPECT_EQ(target.backward(payload, tlm::END_REQ), tlm::TLM_ACCEPTED);
  respond(payload);
  EXPECT_EQ(monitor.transactions(), 0u);
  initiator.forward(payload, tlm::END_RESP);
  payload.release();
  EXPECT_EQ(monitor.transactions(), 1u);
  EXPECT_EQ(broken_rule([&] { monitor.check_end(); }), "");
}

TEST_F(base_protocol_monitor_test, passes_a_response_that_ends_on_the_return_path) {
  payload_type& payload = accepted_write();
  initiator.on_backward = [](auto&, auto& phase, auto&) {
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  };
  respond(payload);
  EXPECT_EQ(monitor.transactions(), 1u);
}

TEST_F(base_protocol_monitor_test, passes_a_request_that_ends_on_the_return_path) {
  answer_with(tlm::TLM_UPDATED, tlm::END_REQ, sc_time(2, SC_NS));
  payload_type& first = write();
  payload_type& second = write();
  EXPECT_EQ(initiator.forward(first, tlm::BEGIN_REQ), tlm::TLM_UPDATED);
  EXPECT_EQ(initiator.forward(second, tlm::BEGIN_REQ), tlm::TLM_UPDATED);
  sc_core::sc_start(sc_time(5, SC_NS));
  respond(second);
  respond(first);
  EXPECT_EQ(monitor.transactions(), 2u);
}

TEST_F(base_protocol_monitor_test, ignores_phases_of_other_protocols) {
  payload_type& payload = accepted_write();
  DECLARE_EXTENDED_PHASE(half_way);
  EXPECT_EQ(broken_rule([&] { initiator.forward(payload, half_way); }), "");
  initiator.on_backward = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
  EXPECT_EQ(broken_rule([&] { target.backward(payload, half_way); }), "");
}

TEST_F(base_protocol_monitor_test, passes_blocking_and_debug_transport) {
  payload_type& payload = write();
  sc_time delay(3, SC_NS);
  initiator.socket->b_transport(payload, delay);
  EXPECT_TRUE(payload.is_response_ok());
  EXPECT_EQ(delay, sc_time(3, SC_NS));
  EXPECT_EQ(monitor.transactions(), 1u);
  target.debug_bytes = 4;
  EXPECT_EQ(initiator.socket->transport_dbg(payload), 4u);
}

TEST_F(base_protocol_monitor_test, passes_direct_memory_calls_both_ways) {
  tlm::tlm_dmi region;
  payload_type& payload = write();
  EXPECT_TRUE(initiator.socket->get_direct_mem_ptr(payload, region));
  EXPECT_EQ(region.get_start_address(), 0x100u);
  target.socket->invalidate_direct_mem_ptr(0, 1);
  EXPECT_EQ(initiator.invalidations, 1u);
}

TEST_F(base_protocol_monitor_test, counts_for_the_statistics) {
  class one_value final : public statistics_sink {
   public:
    void begin_object(std::string_view path) override { object = path; }
    void end_object() override {}
    void record(const statistic& entry) override { value = entry.value; }
    std::string object;
    std::uint64_t value = 0;
  } sink;
  payload_type& payload = write();
  initiator.forward(payload, tlm::BEGIN_REQ);
  collect_statistics(sink);
  EXPECT_EQ(sink.object, "monitor");
  EXPECT_EQ(sink.value, 1u);
}

// Phase order.

TEST_F(base_protocol_monitor_test, reports_a_request_with_a_payload_in_use) {
  payload_type& payload = accepted_write();
  EXPECT_EQ(rule_broken_by_request(payload), report::monitor_phase_order);
}

TEST_F(base_protocol_monitor_test, reports_the_end_of_a_response_that_never_began) {
  payload_type& payload = accepted_write();
  EXPECT_EQ(broken_rule([&] { initiator.forward(payload, tlm::END_RESP); }), report::monitor_phase_order);
}

TEST_F(base_protocol_monitor_test, reports_backward_phases_sent_forward) {
  EXPECT_EQ(broken_rule([&] { initiator.forward(write(), tlm::END_REQ); }), report::monitor_phase_order);
  EXPECT_EQ(broken_rule([&] { initiator.forward(write(), tlm::BEGIN_RESP); }), report::monitor_phase_order);
}

TEST_F(base_protocol_monitor_test, reports_forward_phases_sent_backward) {
  EXPECT_EQ(broken_rule([&] { target.backward(accepted_write(), tlm::END_RESP); }), report::monitor_phase_order);
  EXPECT_EQ(broken_rule([&] { target.backward(accepted_write(), tlm::BEGIN_REQ); }), report::monitor_phase_order);
}

TEST_F(base_protocol_monitor_test, reports_a_request_that_ends_twice) {
  payload_type& payload = accepted_write();
  initiator.on_backward = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
  target.backward(payload, tlm::END_REQ);
  EXPECT_EQ(broken_rule([&] { target.backward(payload, tlm::END_REQ); }), report::monitor_phase_order);
}

TEST_F(base_protocol_monitor_test, reports_a_response_without_a_request) {
  EXPECT_EQ(broken_rule([&] { respond(write()); }), report::monitor_phase_order);
}

TEST_F(base_protocol_monitor_test, reports_a_second_response) {
  payload_type& payload = accepted_write();
  initiator.on_backward = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
  respond(payload);
  EXPECT_EQ(broken_rule([&] { respond(payload); }), report::monitor_phase_order);
}

TEST_F(base_protocol_monitor_test, reports_an_illegal_phase_on_the_return_path) {
  answer_with(tlm::TLM_UPDATED, tlm::END_RESP);
  EXPECT_EQ(rule_broken_by_request(write()), report::monitor_phase_order);
}

TEST_F(base_protocol_monitor_test, reports_an_update_of_the_end_of_a_response) {
  payload_type& payload = accepted_write();
  initiator.on_backward = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
  respond(payload);
  answer_with(tlm::TLM_UPDATED, tlm::END_RESP);
  EXPECT_EQ(broken_rule([&] { initiator.forward(payload, tlm::END_RESP); }), report::monitor_phase_order);
}

TEST_F(base_protocol_monitor_test, reports_an_initiator_that_completes_on_the_end_of_its_request) {
  payload_type& payload = accepted_write();
  EXPECT_EQ(broken_rule([&] { target.backward(payload, tlm::END_REQ); }), report::monitor_phase_order);
}

TEST_F(base_protocol_monitor_test, reports_a_phase_changed_by_a_peer_that_returns_accepted) {
  answer_with(tlm::TLM_ACCEPTED, tlm::END_REQ);
  EXPECT_EQ(rule_broken_by_request(write()), report::monitor_phase_order);
}

// Exclusion.

TEST_F(base_protocol_monitor_test, reports_a_second_request_before_the_first_ended) {
  accepted_write();
  EXPECT_EQ(rule_broken_by_request(write()), report::monitor_exclusion);
}

TEST_F(base_protocol_monitor_test, reports_a_second_response_before_the_first_ended) {
  answer_with(tlm::TLM_UPDATED, tlm::END_REQ);
  payload_type& first = write();
  payload_type& second = write();
  initiator.forward(first, tlm::BEGIN_REQ);
  initiator.forward(second, tlm::BEGIN_REQ);
  initiator.on_backward = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
  respond(first);
  EXPECT_EQ(broken_rule([&] { respond(second); }), report::monitor_exclusion);
}

// Response status.

TEST_F(base_protocol_monitor_test, reports_a_completion_without_a_response_status) {
  target.on_forward = [](auto&, auto&, auto&) { return tlm::TLM_COMPLETED; };
  EXPECT_EQ(rule_broken_by_request(write()), report::monitor_response);
}

TEST_F(base_protocol_monitor_test, reports_a_response_without_a_status) {
  payload_type& payload = accepted_write();
  EXPECT_EQ(broken_rule([&] { target.backward(payload, tlm::BEGIN_RESP); }), report::monitor_response);
}

TEST_F(base_protocol_monitor_test, reports_a_blocking_call_without_a_response_status) {
  target.on_blocking = [](auto&, auto&) {};
  payload_type& payload = write();
  sc_time delay;
  EXPECT_EQ(broken_rule([&] { initiator.socket->b_transport(payload, delay); }), report::monitor_response);
}

// Memory management.

TEST_F(base_protocol_monitor_test, reports_a_payload_without_a_memory_manager) {
  payload_type unmanaged;
  set_attributes(unmanaged, tlm::TLM_READ_COMMAND, 0, data.data(), 4);
  EXPECT_EQ(rule_broken_by_request(unmanaged), report::monitor_memory_manager);
}

TEST_F(base_protocol_monitor_test, lets_a_blocking_call_do_without_a_memory_manager) {
  payload_type unmanaged;
  set_attributes(unmanaged, tlm::TLM_READ_COMMAND, 0, data.data(), 4);
  sc_time delay;
  EXPECT_EQ(broken_rule([&] { initiator.socket->b_transport(unmanaged, delay); }), "");
}

TEST_F(base_protocol_monitor_test, reports_a_payload_nobody_holds) {
  payload_type unreferenced(&pool);
  set_attributes(unreferenced, tlm::TLM_READ_COMMAND, 0, data.data(), 4);
  EXPECT_EQ(rule_broken_by_request(unreferenced), report::monitor_memory_manager);
}

TEST_F(base_protocol_monitor_test, reports_a_payload_that_is_not_released) {
  initiator.forward(write(), tlm::BEGIN_REQ);
  EXPECT_EQ(broken_rule([&] { monitor.check_end(); }), report::monitor_reference_count);
}

TEST_F(base_protocol_monitor_test, survives_a_memory_manager_that_deletes) {
  class deleting_manager final : public tlm::tlm_mm_interface {
   public:
    void free(payload_type* payload) override { delete payload; }
  } manager;
  auto* payload = new payload_type(&manager);
  payload->acquire();
  set_attributes(*payload, tlm::TLM_READ_COMMAND, 0, data.data(), 4);
  initiator.forward(*payload, tlm::BEGIN_REQ);
  payload->release();
  EXPECT_EQ(broken_rule([&] { monitor.check_end(); }), "");
}

TEST_F(base_protocol_monitor_test, reports_a_transaction_that_is_not_complete) {
  accepted_write();
  EXPECT_EQ(broken_rule([&] { monitor.check_end(); }), report::monitor_incomplete);
}

TEST_F(base_protocol_monitor_test, checks_the_end_when_the_simulation_stops) {
  accepted_write();
  EXPECT_EQ(broken_rule([] { sc_core::sc_stop(); }), report::monitor_incomplete);
}

// Annotated delays.

TEST_F(base_protocol_monitor_test, reports_a_delay_that_decreases_on_return) {
  target.on_forward = [](auto& payload, auto&, auto& delay) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay = sc_time(1, SC_NS);
    return tlm::TLM_COMPLETED;
  };
  EXPECT_EQ(broken_rule([&] { initiator.forward(write(), tlm::BEGIN_REQ, sc_time(2, SC_NS)); }), report::monitor_delay);
}

TEST_F(base_protocol_monitor_test, reports_a_delay_changed_by_a_peer_that_returns_accepted) {
  answer_with(tlm::TLM_ACCEPTED, tlm::UNINITIALIZED_PHASE, sc_time(1, SC_NS));
  EXPECT_EQ(rule_broken_by_request(write()), report::monitor_delay);
}

TEST_F(base_protocol_monitor_test, reports_a_phase_before_the_one_it_follows) {
  answer_with(tlm::TLM_ACCEPTED);
  payload_type& payload = write();
  initiator.forward(payload, tlm::BEGIN_REQ, sc_time(5, SC_NS));
  EXPECT_EQ(broken_rule([&] { respond(payload); }), report::monitor_delay) << "the request arrives at 5 ns";
}

TEST_F(base_protocol_monitor_test, reports_a_phase_before_one_on_the_return_path) {
  answer_with(tlm::TLM_UPDATED, tlm::END_REQ, sc_time(5, SC_NS));
  payload_type& payload = write();
  initiator.forward(payload, tlm::BEGIN_REQ);
  EXPECT_EQ(broken_rule([&] { respond(payload); }), report::monitor_delay) << "the request ends at 5 ns";
}

TEST_F(base_protocol_monitor_test, reports_a_blocking_call_that_ends_before_its_request_arrives) {
  target.on_blocking = [](auto& payload, auto& delay) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay = sc_core::SC_ZERO_TIME;
  };
  payload_type& payload = write();
  sc_time delay(2, SC_NS);
  EXPECT_EQ(broken_rule([&] { initiator.socket->b_transport(payload, delay); }), report::monitor_delay);
}

// Calls inside calls, and debug transport.

TEST_F(base_protocol_monitor_test, reports_a_target_that_calls_back_from_inside_the_request) {
  target.on_forward = [this](auto& payload, auto&, auto&) {
    target.backward(payload, tlm::END_REQ);
    return tlm::TLM_ACCEPTED;
  };
  EXPECT_EQ(rule_broken_by_request(write()), report::monitor_reentry);
}

TEST_F(base_protocol_monitor_test, reports_an_initiator_that_calls_back_from_inside_the_response) {
  payload_type& payload = accepted_write();
  initiator.on_backward = [this](auto& responded, auto&, auto&) {
    initiator.forward(responded, tlm::END_RESP);
    return tlm::TLM_ACCEPTED;
  };
  EXPECT_EQ(broken_rule([&] { respond(payload); }), report::monitor_reentry);
}

TEST_F(base_protocol_monitor_test, reports_a_debug_access_longer_than_asked_for) {
  target.debug_bytes = 5;
  EXPECT_EQ(broken_rule([&] { initiator.socket->transport_dbg(write()); }), report::monitor_debug);
}

TEST_F(base_protocol_monitor_test, goes_on_when_the_user_only_counts_errors) {
  for (const char* rule : {report::monitor_phase_order, report::monitor_incomplete}) {
    sc_core::sc_report_handler::set_actions(rule, sc_core::SC_ERROR, sc_core::SC_DO_NOTHING);
  }
  payload_type& payload = accepted_write();
  initiator.forward(payload, tlm::BEGIN_REQ);
  EXPECT_EQ(sc_core::sc_report_handler::get_count(report::monitor_phase_order), 1);
  respond(payload);
  payload.release();
  EXPECT_EQ(monitor.transactions(), 1u);
  monitor.check_end();
  EXPECT_EQ(sc_core::sc_report_handler::get_count(report::monitor_incomplete), 0) << "the second request replaced the first";
}

/// A payload that passes two monitors is watched by both.
TEST(base_protocol_monitor_chain, watches_a_payload_on_every_link) {
  payload_pool pool;
  scripted_initiator initiator("initiator");
  base_protocol_monitor<> first("first");
  base_protocol_monitor<> second("second");
  scripted_target target("target");
  initiator.socket.bind(first.target);
  first.initiator.bind(second.target);
  second.initiator.bind(target.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  unsigned char data = 0;
  payload_type& payload = pool.get();
  set_attributes(payload, tlm::TLM_READ_COMMAND, 0, &data, 1);
  initiator.forward(payload, tlm::BEGIN_REQ);
  EXPECT_THROW(first.check_end(), sc_core::sc_report);
  EXPECT_THROW(second.check_end(), sc_core::sc_report);
  payload.release();
  EXPECT_NO_THROW(first.check_end());
  EXPECT_NO_THROW(second.check_end());
}

TEST(base_protocol_monitor_width, fits_links_of_other_widths) {
  base_protocol_monitor<64> wide("wide");
  EXPECT_EQ(wide.target.get_bus_width(), 64u);
  EXPECT_EQ(wide.initiator.get_bus_width(), 64u);
}

}  // namespace
}  // namespace tc::fabric::base_protocol_monitor_suite
