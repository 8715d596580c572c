// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <string>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/fabric/payload_pool.hpp>

#include "scripted_peers.hpp"

namespace tc::fabric {

/// Two peers that do what the test says, with a monitor between them.
class base_protocol_monitor_test : public testing::Test {
 public:
  base_protocol_monitor_test() : base_protocol_monitor_test(base_protocol_rules::options{}) {}

 protected:
  explicit base_protocol_monitor_test(const base_protocol_rules::options& options) : monitor("monitor", options) {
    initiator.socket.bind(monitor.target);
    monitor.initiator.bind(target.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  tlm::tlm_generic_payload& write() {
    tlm::tlm_generic_payload& payload = pool.get();
    set_attributes(payload, tlm::TLM_WRITE_COMMAND, 0x100, data.data(), 4);
    return payload;
  }

  /// What the target answers to every forward call; a phase of UNINITIALIZED_PHASE leaves it alone.
  void answer_with(tlm::tlm_sync_enum result, tlm::tlm_phase_enum phase = tlm::UNINITIALIZED_PHASE, const sc_core::sc_time& delay = {}) {
    target.on_forward = [=](auto& payload, auto& phase_argument, auto& delay_argument) {
      if (result == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP) payload.set_response_status(tlm::TLM_OK_RESPONSE);
      if (phase != tlm::UNINITIALIZED_PHASE) phase_argument = phase;
      delay_argument += delay;
      return result;
    };
  }

  tlm::tlm_generic_payload& accepted_write() {
    answer_with(tlm::TLM_ACCEPTED);
    tlm::tlm_generic_payload& payload = write();
    EXPECT_EQ(initiator.forward(payload, tlm::BEGIN_REQ), tlm::TLM_ACCEPTED);
    return payload;
  }

  void respond(tlm::tlm_generic_payload& payload) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    target.backward(payload, tlm::BEGIN_RESP);
  }

  /// The rule an action breaks; empty if none.
  static std::string broken_rule(const std::function<void()>& action) {
    try {
      action();
    } catch (const sc_core::sc_report& report) {
      EXPECT_NE(std::string(report.get_msg()).find("monitor"), std::string::npos) << "names the object";
      return report.get_msg_type();
    }
    return "";
  }
  std::string rule_broken_by_request(tlm::tlm_generic_payload& payload) {
    return broken_rule([&] { initiator.forward(payload, tlm::BEGIN_REQ); });
  }

  payload_pool pool;
  std::array<unsigned char, 8> data{1, 2, 3, 4};
  scripted_initiator initiator{"initiator"};
  scripted_target target{"target"};
  base_protocol_monitor<> monitor;
};

}  // namespace tc::fabric
