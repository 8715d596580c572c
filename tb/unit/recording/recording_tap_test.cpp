// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/fabric/payload_pool.hpp>
#include <tc/recording/recording_tap.hpp>

#include "fabric/scripted_peers.hpp"

namespace tc::recording::recording_tap_test {
namespace {

using fabric::scripted_initiator;
using fabric::scripted_target;
using memory_tap = recording_tap<tlm::tlm_base_protocol_types>;

sc_core::sc_time cycles(double count) { return {count, sc_core::SC_NS}; }

/// Two peers with a tap between them, and what it told: phases with their cycles.
class recording_tap_test : public testing::Test {
 protected:
  recording_tap_test() {
    initiator.socket.bind(tap.target);
    tap.initiator.bind(target.socket);
    sc_core::sc_start(cycles(10));
  }

  memory_tap::listener tell(const char* way) {
    return [this, way](auto&, const tlm::tlm_phase& phase, fabric::cycle_t cycle) {
      told.push_back(std::string(way) + " " + phase.get_name() + " " + std::to_string(cycle));
    };
  }
  tlm::tlm_generic_payload& write() {
    tlm::tlm_generic_payload& payload = pool.get();
    fabric::set_attributes(payload, tlm::TLM_WRITE_COMMAND, 0x100, data.data(), 4);
    return payload;
  }
  /// The target answers a request like this.
  void answer_with(tlm::tlm_sync_enum result, tlm::tlm_phase_enum phase, double delay) {
    target.on_forward = [=](auto&, auto& phase_argument, auto& delay_argument) {
      phase_argument = phase;
      delay_argument += cycles(delay);
      return result;
    };
  }

  using events = std::vector<std::string>;

  fabric::clock_domain clock{"clock", 1, sc_core::SC_NS};
  fabric::payload_pool pool;
  std::array<unsigned char, 4> data{};
  scripted_initiator initiator{"initiator"};
  scripted_target target{"target"};
  events told;
  memory_tap tap{"tap", clock, tell("forth"), tell("back")};
};

TEST_F(recording_tap_test, tells_of_an_answer_in_the_call) {
  answer_with(tlm::TLM_COMPLETED, tlm::BEGIN_REQ, 5);
  EXPECT_EQ(initiator.forward(write(), tlm::BEGIN_REQ, cycles(2)), tlm::TLM_COMPLETED);
  EXPECT_EQ(told, (events{"forth BEGIN_REQ 12", "back BEGIN_RESP 17"}));
}

TEST_F(recording_tap_test, tells_of_four_phases) {
  tlm::tlm_generic_payload& payload = write();
  answer_with(tlm::TLM_ACCEPTED, tlm::BEGIN_REQ, 0);
  initiator.forward(payload, tlm::BEGIN_REQ);
  initiator.on_backward = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
  target.backward(payload, tlm::END_REQ, cycles(1));
  target.backward(payload, tlm::BEGIN_RESP, cycles(3));
  EXPECT_EQ(initiator.forward(payload, tlm::END_RESP, cycles(4)), tlm::TLM_ACCEPTED);
  EXPECT_EQ(told, (events{"forth BEGIN_REQ 10", "back END_REQ 11", "back BEGIN_RESP 13", "forth END_RESP 14"}));
}

TEST_F(recording_tap_test, tells_of_a_response_on_the_return_path) {
  answer_with(tlm::TLM_UPDATED, tlm::BEGIN_RESP, 0.5);
  initiator.forward(write(), tlm::BEGIN_REQ);
  EXPECT_EQ(told, (events{"forth BEGIN_REQ 10", "back BEGIN_RESP 11"})) << "what comes between two edges is seen by the second";
}

TEST_F(recording_tap_test, tells_of_blocking_transport) {
  target.on_blocking = [](auto&, auto& delay) { delay += cycles(7); };
  sc_core::sc_time delay = cycles(1);
  initiator.socket->b_transport(write(), delay);
  EXPECT_EQ(delay, cycles(8));
  EXPECT_EQ(told, (events{"forth BEGIN_REQ 11", "back BEGIN_RESP 18"}));
}

}  // namespace
}  // namespace tc::recording::recording_tap_test
