// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn; must precede the first SystemC header
#include <ostream>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/reports.hpp>

#include "base_protocol_monitor_fixture.hpp"

// Calls that wait, calls inside calls, and the interfaces beside the transactions: debug transport and direct access to memory.

namespace tc::fabric::base_protocol_monitor_calls_test {
namespace {

using payload_type = tlm::tlm_generic_payload;
using sc_core::SC_NS;
using sc_core::sc_time;

class monitor_of_processes : public base_protocol_monitor_test {
 protected:
  /// What an action breaks in a process.
  std::string rule_broken_in(bool is_thread, const std::function<void()>& action) {
    std::string rule;
    sc_core::sc_spawn_options options;
    if (!is_thread) options.spawn_method();
    sc_core::sc_spawn([&] { rule = broken_rule(action); }, sc_core::sc_gen_unique_name("process"), &options);
    sc_core::sc_start(sc_time(10, SC_NS));
    return rule;
  }
};

TEST_F(monitor_of_processes, reports_a_blocking_call_of_a_method) {
  sc_time delay;
  payload_type& payload = write();
  EXPECT_EQ(rule_broken_in(false, [&] { initiator.socket->b_transport(payload, delay); }), report::monitor_wait);
}

TEST_F(monitor_of_processes, reports_a_target_that_waits_in_a_call_that_does_not_block) {
  target.on_forward = [](auto&, auto&, auto&) {
    sc_core::wait(sc_core::SC_ZERO_TIME);
    return tlm::TLM_ACCEPTED;
  };
  EXPECT_EQ(rule_broken_in(true, [&] { initiator.forward(write(), tlm::BEGIN_REQ); }), report::monitor_wait);
}

TEST_F(monitor_of_processes, reports_an_initiator_that_waits_in_a_response) {
  payload_type& payload = accepted_write();
  initiator.on_backward = [](auto&, auto&, auto&) {
    sc_core::wait(sc_time(1, SC_NS));
    return tlm::TLM_COMPLETED;
  };
  EXPECT_EQ(rule_broken_in(true, [&] { respond(payload); }), report::monitor_wait);
}

TEST_F(monitor_of_processes, reports_debug_transport_that_waits) {
  target.on_debug = [](auto&) { sc_core::wait(sc_time(1, SC_NS)); };
  EXPECT_EQ(rule_broken_in(true, [&] { initiator.socket->transport_dbg(write()); }), report::monitor_wait);
}

TEST_F(monitor_of_processes, reports_a_request_of_direct_access_that_waits) {
  target.on_direct = [](auto&, auto&) {
    sc_core::wait(sc_core::SC_ZERO_TIME);
    return false;
  };
  tlm::tlm_dmi region;
  EXPECT_EQ(rule_broken_in(true, [&] { initiator.socket->get_direct_mem_ptr(write(), region); }), report::monitor_wait);
}

TEST_F(monitor_of_processes, reports_a_payload_that_is_in_two_blocking_calls) {
  payload_type& payload = write();
  target.on_blocking = [](auto& request, auto&) {
    sc_core::wait(sc_time(3, SC_NS));
    request.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  sc_core::sc_spawn([&] {
    sc_time delay;
    initiator.socket->b_transport(payload, delay);
  });
  sc_time delay;
  EXPECT_EQ(rule_broken_in(true, [&] { initiator.socket->b_transport(payload, delay); }), report::monitor_reentry);
}

TEST_F(monitor_of_processes, lets_blocking_calls_with_different_payloads_overlap) {
  target.on_blocking = [](auto& request, auto&) {
    sc_core::wait(sc_time(3, SC_NS));
    request.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  sc_core::sc_spawn([&] {
    sc_time delay;
    initiator.socket->b_transport(write(), delay);
  });
  sc_time delay;
  EXPECT_EQ(rule_broken_in(true, [&] { initiator.socket->b_transport(write(), delay); }), "");
  EXPECT_EQ(monitor.transactions(), 2U);
}

TEST_F(base_protocol_monitor_test, reports_a_blocking_call_with_a_payload_on_its_way) {
  payload_type& payload = accepted_write();
  sc_time delay;
  EXPECT_EQ(broken_rule([&] { initiator.socket->b_transport(payload, delay); }), report::monitor_reentry);
}

TEST_F(base_protocol_monitor_test, reports_a_request_with_a_payload_in_a_blocking_call) {
  payload_type& payload = write();
  target.on_blocking = [&](auto& request, auto&) { initiator.forward(request, tlm::BEGIN_REQ); };
  sc_time delay;
  EXPECT_EQ(broken_rule([&] { initiator.socket->b_transport(payload, delay); }), report::monitor_reentry);
}

// Debug transport.

TEST_F(base_protocol_monitor_test, reports_debug_requests_that_are_none) {
  payload_type& payload = write();
  payload.set_data_ptr(nullptr);
  EXPECT_EQ(broken_rule([&] { initiator.socket->transport_dbg(payload); }), report::monitor_debug);
  payload_type& unknown = write();
  unknown.set_command(static_cast<tlm::tlm_command>(3));
  EXPECT_EQ(broken_rule([&] { initiator.socket->transport_dbg(unknown); }), report::monitor_debug);
}

TEST_F(base_protocol_monitor_test, reports_debug_transport_that_changes_the_request) {
  target.on_debug = [](auto& payload) { payload.set_address(0); };
  EXPECT_EQ(broken_rule([&] { initiator.socket->transport_dbg(write()); }), report::monitor_modified);
  target.on_debug = [](auto& payload) { payload.get_data_ptr()[0] ^= 1; };
  EXPECT_EQ(broken_rule([&] { initiator.socket->transport_dbg(write()); }), report::monitor_modified);
}

// Direct access to memory.

struct region_case {
  const char* name;
  void (*change)(tlm::tlm_dmi& region);
};

std::ostream& operator<<(std::ostream& out, const region_case& test) { return out << test.name; }

class illegal_region : public base_protocol_monitor_test, public testing::WithParamInterface<region_case> {};

TEST_P(illegal_region, is_reported) {
  const auto legal = target.on_direct;
  target.on_direct = [&](auto& payload, auto& region) {
    const bool granted = legal(payload, region);
    GetParam().change(region);
    return granted;
  };
  tlm::tlm_dmi region;
  EXPECT_EQ(broken_rule([&] { initiator.socket->get_direct_mem_ptr(write(), region); }), report::monitor_direct_memory);
}

INSTANTIATE_TEST_SUITE_P(targets, illegal_region,
                         testing::ValuesIn(std::vector<region_case>{
                             {"null", [](auto& region) { region.set_dmi_ptr(nullptr); }},
                             {"backwards", [](auto& region) { region.set_end_address(0xff); }},
                             {"elsewhere", [](auto& region) { region.set_start_address(0x101); }},
                             {"to_read_only", [](auto& region) { region.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_READ); }},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_F(base_protocol_monitor_test, does_not_look_at_a_region_that_is_not_granted) {
  target.on_direct = [](auto&, auto&) { return false; };
  tlm::tlm_dmi region;
  EXPECT_EQ(broken_rule([&] { initiator.socket->get_direct_mem_ptr(write(), region); }), "");
}

TEST_F(base_protocol_monitor_test, reports_a_request_of_direct_access_without_a_command) {
  payload_type& payload = write();
  payload.set_command(tlm::TLM_IGNORE_COMMAND);
  tlm::tlm_dmi region;
  EXPECT_EQ(broken_rule([&] { initiator.socket->get_direct_mem_ptr(payload, region); }), report::monitor_direct_memory);
}

TEST_F(base_protocol_monitor_test, reports_direct_access_asked_for_from_inside_its_revocation) {
  initiator.on_invalidation = [this] {
    tlm::tlm_dmi region;
    initiator.socket->get_direct_mem_ptr(write(), region);
  };
  EXPECT_EQ(broken_rule([&] { target.socket->invalidate_direct_mem_ptr(0, 1); }), report::monitor_direct_memory);
}

TEST_F(base_protocol_monitor_test, reports_a_revocation_that_ends_before_it_starts) {
  EXPECT_EQ(broken_rule([&] { target.socket->invalidate_direct_mem_ptr(1, 0); }), report::monitor_direct_memory);
}

}  // namespace
}  // namespace tc::fabric::base_protocol_monitor_calls_test
