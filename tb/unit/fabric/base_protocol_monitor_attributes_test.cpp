// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <ostream>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/reports.hpp>

#include "base_protocol_monitor_fixture.hpp"

namespace tc::fabric::base_protocol_monitor_attributes_test {
namespace {

using payload_type = tlm::tlm_generic_payload;
using sc_core::sc_time;

// Attribute values of a request.

struct attribute_case {
  const char* name;
  void (*change)(payload_type& payload);
};

std::ostream& operator<<(std::ostream& out, const attribute_case& test) { return out << test.name; }

class illegal_attribute : public base_protocol_monitor_test, public testing::WithParamInterface<attribute_case> {};

TEST_P(illegal_attribute, is_reported) {
  payload_type& payload = write();
  GetParam().change(payload);
  EXPECT_EQ(rule_broken_by_request(payload), report::monitor_attributes);
}

TEST_P(illegal_attribute, is_reported_in_a_blocking_call) {
  payload_type& payload = write();
  GetParam().change(payload);
  sc_time delay;
  EXPECT_EQ(broken_rule([&] { initiator.socket->b_transport(payload, delay); }), report::monitor_attributes);
}

unsigned char bad_enables[] = {0xff, 0x01};

INSTANTIATE_TEST_SUITE_P(requests, illegal_attribute,
                         testing::ValuesIn(std::vector<attribute_case>{
                             {"response", [](auto& payload) { payload.set_response_status(tlm::TLM_OK_RESPONSE); }},
                             {"dmi_hint", [](auto& payload) { payload.set_dmi_allowed(true); }},
                             {"command", [](auto& payload) { payload.set_command(static_cast<tlm::tlm_command>(3)); }},
                             {"data", [](auto& payload) { payload.set_data_ptr(nullptr); }},
                             {"length", [](auto& payload) { payload.set_data_length(0); }},
                             {"streaming_width", [](auto& payload) { payload.set_streaming_width(0); }},
                             {"byte_enable_length", [](auto& payload) { payload.set_byte_enable_ptr(bad_enables); }},
                             {"option", [](auto& payload) { payload.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED); }},
                             {"byte_enable_value",
                              [](auto& payload) {
                                payload.set_byte_enable_ptr(bad_enables);
                                payload.set_byte_enable_length(2);
                              }},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

// Attributes changed by the wrong side.

class changed_attribute : public base_protocol_monitor_test, public testing::WithParamInterface<attribute_case> {};

TEST_P(changed_attribute, is_reported_at_completion) {
  target.on_forward = [](auto& payload, auto&, auto&) {
    GetParam().change(payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  EXPECT_EQ(rule_broken_by_request(write()), report::monitor_modified);
}

TEST_P(changed_attribute, is_reported_at_the_response) {
  payload_type& payload = accepted_write();
  GetParam().change(payload);
  EXPECT_EQ(broken_rule([&] { respond(payload); }), report::monitor_modified);
}

TEST_P(changed_attribute, is_reported_after_a_blocking_call) {
  target.on_blocking = [](auto& payload, auto&) {
    GetParam().change(payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  payload_type& payload = write();
  sc_time delay;
  EXPECT_EQ(broken_rule([&] { initiator.socket->b_transport(payload, delay); }), report::monitor_modified);
}

INSTANTIATE_TEST_SUITE_P(targets, changed_attribute,
                         testing::ValuesIn(std::vector<attribute_case>{
                             {"command", [](auto& payload) { payload.set_read(); }},
                             {"address", [](auto& payload) { payload.set_address(0); }},
                             {"data_pointer", [](auto& payload) { payload.set_data_ptr(payload.get_data_ptr() + 1); }},
                             {"length", [](auto& payload) { payload.set_data_length(2); }},
                             {"streaming_width", [](auto& payload) { payload.set_streaming_width(2); }},
                             {"byte_enable", [](auto& payload) { payload.set_byte_enable_ptr(bad_enables); }},
                             {"byte_enable_length", [](auto& payload) { payload.set_byte_enable_length(2); }},
                             {"written_data", [](auto& payload) { payload.get_data_ptr()[3] ^= 1; }},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_F(base_protocol_monitor_test, reports_a_target_that_changes_byte_enables) {
  std::array<unsigned char, 2> enables{0xff, 0};
  payload_type& payload = write();
  payload.set_byte_enable_ptr(enables.data());
  payload.set_byte_enable_length(2);
  target.on_forward = [&](auto& request, auto&, auto&) {
    enables[1] = 0xff;
    request.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  EXPECT_EQ(rule_broken_by_request(payload), report::monitor_modified);
}

// The end of a response.

TEST_F(base_protocol_monitor_test, reports_an_initiator_that_changes_attributes_before_the_end) {
  payload_type& payload = accepted_write();
  initiator.on_backward = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
  respond(payload);
  payload.set_address(0);
  EXPECT_EQ(broken_rule([&] { initiator.forward(payload, tlm::END_RESP); }), report::monitor_modified);
}

TEST_F(base_protocol_monitor_test, reports_an_initiator_that_changes_the_response) {
  payload_type& payload = accepted_write();
  initiator.on_backward = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
  respond(payload);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_EQ(broken_rule([&] { initiator.forward(payload, tlm::END_RESP); }), report::monitor_modified);
}

TEST_F(base_protocol_monitor_test, reports_a_response_status_that_is_none) {
  target.on_forward = [](auto& payload, auto&, auto&) {
    payload.set_response_status(static_cast<tlm::tlm_response_status>(7));
    return tlm::TLM_COMPLETED;
  };
  EXPECT_EQ(rule_broken_by_request(write()), report::monitor_response);
}

// Extensions.

struct note final : tlm::tlm_extension<note> {
  tlm::tlm_extension_base* clone() const override { return new note(*this); }
  void copy_from(const tlm::tlm_extension_base&) override {}
};

TEST_F(base_protocol_monitor_test, reports_a_target_that_replaces_an_extension) {
  payload_type& payload = write();
  note sent, another;
  payload.set_extension(&sent);
  target.on_forward = [&](auto& request, auto&, auto&) {
    request.set_extension(&another);
    request.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  EXPECT_EQ(rule_broken_by_request(payload), report::monitor_extension);
  payload.clear_extension(&another);
}

TEST_F(base_protocol_monitor_test, reports_a_target_that_removes_an_extension) {
  payload_type& payload = write();
  note sent;
  payload.set_extension(&sent);
  target.on_blocking = [&](auto& request, auto&) {
    request.clear_extension(&sent);
    request.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  sc_time delay;
  EXPECT_EQ(broken_rule([&] { initiator.socket->b_transport(payload, delay); }), report::monitor_extension);
}

TEST_F(base_protocol_monitor_test, lets_a_target_add_an_extension) {
  payload_type& payload = write();
  note added;
  target.on_forward = [&](auto& request, auto&, auto&) {
    request.set_extension(&added);
    request.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  EXPECT_EQ(rule_broken_by_request(payload), "");
  payload.clear_extension(&added);
}

class monitor_before_an_interconnect : public base_protocol_monitor_test {
 public:
  monitor_before_an_interconnect() : base_protocol_monitor_test(base_protocol_rules::options{true}) {}
};

TEST_F(monitor_before_an_interconnect, lets_the_address_change) {
  target.on_forward = [](auto& payload, auto&, auto&) {
    payload.set_address(0);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  EXPECT_EQ(rule_broken_by_request(write()), "");
}

}  // namespace
}  // namespace tc::fabric::base_protocol_monitor_attributes_test
