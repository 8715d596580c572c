// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/fabric/reports.hpp>

#include "scripted_peers.hpp"
#include "stand_ins/random_target.hpp"

namespace tc::fabric::base_protocol_initiator_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using stand_ins::answer;
using stand_ins::random_target;

/// Reads bytes at consecutive addresses and keeps what came back and when.
class reader final : public sc_core::sc_module {
 public:
  base_protocol_initiator operand_rd{"operand_rd", [this](auto& payload, const auto& delay) { done(payload, delay); }};

  explicit reader(const sc_core::sc_module_name& name) : sc_module(name) {}

  tlm::tlm_generic_payload& read(sc_dt::uint64 address, const sc_time& delay = sc_core::SC_ZERO_TIME) {
    tlm::tlm_generic_payload& payload = pool.get();
    set_attributes(payload, tlm::TLM_READ_COMMAND, address, &data[address % data.size()], 1);
    operand_rd.send(payload, delay);
    return payload;
  }

  payload_pool pool;
  std::vector<sc_dt::uint64> addresses;  // in order of completion
  std::vector<sc_time> valid;            // absolute
  std::function<void()> then = [] {};    // what to do in the callback

 private:
  void done(tlm::tlm_generic_payload& payload, const sc_time& delay) {
    EXPECT_TRUE(payload.is_response_ok());
    EXPECT_EQ(*payload.get_data_ptr(), static_cast<unsigned char>(payload.get_address()));
    addresses.push_back(payload.get_address());
    valid.push_back(sc_core::sc_time_stamp() + delay);
    payload.release();
    then();
  }

  std::array<unsigned char, 256> data{};
};

/// A reader, a monitor and a target of the given kind.
struct monitored_link {
  explicit monitored_link(answer way, unsigned seed = 1, unsigned max_delay_ns = 0) : target("target", way, seed, max_delay_ns) {
    source.operand_rd.bind(monitor.target);
    monitor.initiator.bind(target.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  void expect_drained(std::size_t reads) {
    EXPECT_EQ(source.addresses.size(), reads);
    EXPECT_EQ(target.requests, reads);
    EXPECT_EQ(monitor.transactions(), reads);
    EXPECT_EQ(source.operand_rd.outstanding(), 0u);
    EXPECT_EQ(source.pool.live(), 0u);
    EXPECT_NO_THROW(sc_core::sc_stop());  // lets the monitor check the end
    EXPECT_NO_THROW(monitor.check_end());
  }

  reader source{"source"};
  base_protocol_monitor<> monitor{"monitor"};
  random_target target;
};

/// A reader and a target that does what the test says.
struct scripted_link {
  scripted_link() {
    source.operand_rd.bind(target.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  template <class Action>
  std::string type_of_error(Action action) {
    try {
      action();
    } catch (const sc_core::sc_report& report) {
      return report.get_msg_type();
    }
    return "";
  }
  reader source{"source"};
  scripted_target target{"target"};
};

TEST(base_protocol_initiator, is_told_within_the_call_by_a_target_that_completes) {
  monitored_link link(answer::completed);
  for (unsigned i = 0; i < 3; ++i) link.source.read(i, sc_time(5, SC_NS));
  EXPECT_EQ(link.source.addresses, (std::vector<sc_dt::uint64>{0, 1, 2}));
  EXPECT_EQ(link.source.valid, (std::vector<sc_time>(3, sc_time(5, SC_NS))));
  EXPECT_FALSE(sc_core::sc_pending_activity()) << "no event for a target that completes";
  EXPECT_EQ(link.source.pool.capacity(), 1u);
  link.expect_drained(3);
}

TEST(base_protocol_initiator, sends_from_the_callback_without_nesting) {
  monitored_link link(answer::completed);
  constexpr unsigned reads = 200000;  // a call chain of that length would overflow the stack
  unsigned sent = 1;
  link.source.then = [&] {
    if (sent < reads) link.source.read(sent++);
  };
  link.source.read(0);
  link.expect_drained(reads);
}

TEST(base_protocol_initiator, keeps_the_order_of_requests) {
  monitored_link link(answer::accepted);
  std::vector<sc_dt::uint64> expected;
  for (unsigned i = 0; i < 10; ++i) {
    link.source.read(i);
    expected.push_back(i);
  }
  EXPECT_EQ(link.source.operand_rd.outstanding(), 10u);
  sc_core::sc_start();
  EXPECT_EQ(link.source.addresses, expected);
  link.expect_drained(10);
}

TEST(base_protocol_initiator, a_queued_request_keeps_its_annotated_delay) {
  monitored_link link(answer::accepted);
  link.source.read(0);
  link.source.read(1, sc_time(30, SC_NS));
  sc_core::sc_start();
  EXPECT_EQ(link.source.valid, (std::vector<sc_time>{sc_core::SC_ZERO_TIME, sc_time(30, SC_NS)}));
  link.expect_drained(2);
}

TEST(base_protocol_initiator, holds_the_next_request_until_the_end_of_the_last_takes_effect) {
  scripted_link link;
  std::vector<sc_time> arrivals;
  bool in_backward_call = false;
  link.target.on_forward = [&](auto&, auto&, auto& delay) {
    EXPECT_FALSE(in_backward_call);
    arrivals.push_back(sc_core::sc_time_stamp() + delay);
    return tlm::TLM_ACCEPTED;
  };
  tlm::tlm_generic_payload& first = link.source.read(0);
  link.source.read(1);
  in_backward_call = true;
  link.target.backward(first, tlm::END_REQ, sc_time(3, SC_NS));
  in_backward_call = false;
  link.source.read(2);
  sc_core::sc_start();
  EXPECT_EQ(arrivals, (std::vector<sc_time>{sc_core::SC_ZERO_TIME, sc_time(3, SC_NS)})) << "and the third waits for the second";
}

TEST(base_protocol_initiator, sends_nothing_from_inside_a_response) {
  scripted_link link;
  unsigned requests = 0;
  link.target.on_forward = [&](auto&, auto& phase, auto&) {
    ++requests;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  };
  tlm::tlm_generic_payload& first = link.source.read(0);
  sc_core::sc_start();
  link.source.then = [&] { link.source.read(1); };
  first.acquire();  // the target's own reference
  first.set_response_status(tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(link.target.backward(first, tlm::BEGIN_RESP), tlm::TLM_COMPLETED);
  first.release();
  EXPECT_EQ(requests, 1u);
  sc_core::sc_start();
  EXPECT_EQ(requests, 2u);
}

class every_answer : public testing::TestWithParam<std::tuple<answer, unsigned>> {};

TEST_P(every_answer, is_handled_under_random_delays) {
  const auto [way, seed] = GetParam();
  monitored_link link(way, seed, 7);
  std::mt19937 random(seed);
  unsigned sent = 0;
  constexpr unsigned reads = 500;
  const auto send = [&] {
    for (auto burst = random() % 3; burst > 0 && sent < reads; --burst) {
      link.source.read(sent++, sc_time(static_cast<double>(random() % 4), SC_NS));
    }
  };
  link.source.then = send;
  while (sent < reads) {
    send();
    sc_core::sc_start(sc_time(static_cast<double>(random() % 20 + 1), SC_NS));
  }
  if (sc_core::sc_pending_activity()) sc_core::sc_start();
  link.expect_drained(reads);
}

INSTANTIATE_TEST_SUITE_P(targets, every_answer,
                         testing::Combine(testing::Values(answer::completed, answer::updated_end_request, answer::updated_begin_response,
                                                          answer::accepted, answer::accepted_skips_end_request, answer::random),
                                          testing::Values(1u, 2u, 3u)));

TEST(base_protocol_initiator, lets_thousands_of_requests_wait) {
  monitored_link link(answer::accepted);
  constexpr unsigned reads = 20000;
  for (unsigned i = 0; i < reads; ++i) link.source.read(i);
  link.source.then = [&, sent = reads]() mutable {
    if (sent < 2 * reads) link.source.read(sent++);
  };
  sc_core::sc_start();
  EXPECT_TRUE(std::is_sorted(link.source.addresses.begin(), link.source.addresses.end()));
  link.expect_drained(2 * reads);
}

TEST(base_protocol_initiator, waits_for_answers_that_take_seconds) {
  monitored_link link(answer::random, 5, 4000000000U);
  for (unsigned i = 0; i < 100; ++i) link.source.read(i, sc_time(1, sc_core::SC_SEC));
  sc_core::sc_start();
  EXPECT_GT(sc_core::sc_time_stamp(), sc_time(1, sc_core::SC_SEC));
  link.expect_drained(100);
}

TEST(base_protocol_initiator, reports_an_illegal_answer) {
  scripted_link link;
  link.target.on_forward = [](auto&, auto& phase, auto&) {
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  };
  EXPECT_EQ(link.type_of_error([&] { link.source.read(0); }), report::initiator_phase);
}

TEST(base_protocol_initiator, reports_an_illegal_answer_to_the_end_of_a_response) {
  scripted_link link;
  link.target.on_forward = [](auto& payload, auto& phase, auto&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_UPDATED;
  };
  EXPECT_EQ(link.type_of_error([&] { link.source.read(0); }), report::initiator_result);
}

TEST(base_protocol_initiator, reports_a_response_to_nothing) {
  scripted_link link;
  tlm::tlm_generic_payload& stray = link.source.pool.get();
  EXPECT_EQ(link.type_of_error([&] { link.target.backward(stray, tlm::BEGIN_RESP); }), report::initiator_phase);
  EXPECT_EQ(link.type_of_error([&] { link.target.backward(stray, tlm::END_REQ); }), report::initiator_phase);
  EXPECT_EQ(link.type_of_error([&] { link.target.backward(stray, tlm::END_RESP); }), report::initiator_phase);
}

TEST(base_protocol_initiator, reports_a_second_end_of_the_same_request) {
  scripted_link link;
  link.target.on_forward = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
  tlm::tlm_generic_payload& payload = link.source.read(0);
  EXPECT_EQ(link.target.backward(payload, tlm::END_REQ), tlm::TLM_ACCEPTED);
  EXPECT_EQ(link.type_of_error([&] { link.target.backward(payload, tlm::END_REQ); }), report::initiator_phase);
}

TEST(base_protocol_initiator, ignores_phases_it_does_not_know) {
  scripted_link link;
  link.target.on_forward = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
  tlm::tlm_generic_payload& payload = link.source.read(0);
  DECLARE_EXTENDED_PHASE(half_way);
  EXPECT_EQ(link.target.backward(payload, half_way), tlm::TLM_ACCEPTED);
  EXPECT_EQ(link.source.operand_rd.outstanding(), 1u);
}

}  // namespace
}  // namespace tc::fabric::base_protocol_initiator_test
