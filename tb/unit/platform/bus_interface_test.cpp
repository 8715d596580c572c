// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn; must precede the first SystemC header
#include <array>
#include <ostream>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/fabric/reports.hpp>
#include <tc/platform/bus_interface.hpp>

#include "bus_bench.hpp"
#include "fabric/scripted_peers.hpp"
#include "statistics_of.hpp"

namespace tc::platform::test::bus_interface_test {
namespace {

using stand_ins::random_memory;
using bytes = std::vector<unsigned char>;

/// A memory that answers each request in its call, after 77 ns at the most.
random_memory::params quick_memory(unsigned max_delay_ns = 0, stand_ins::answer way = stand_ins::answer::completed) {
  random_memory::params memory;
  memory.max_delay_ns = max_delay_ns;
  memory.way = way;
  return memory;
}

TEST(bus_interface, adds_no_time) {
  bus_bench bench(2, {}, quick_memory());
  bench.unit[0].write(0x100, {1, 2, 3}, ns(5));
  bench.unit[1].read(0x100, 3, ns(6));
  bench.unit[1].read(0x102, 1, ns(7));
  bench.run();
  ASSERT_EQ(bench.unit[1].answers.size(), 2U);
  EXPECT_EQ(bench.unit[0].answers.at(0).valid, ns(5));
  EXPECT_EQ(bench.unit[1].answers[0].valid, ns(6));
  EXPECT_EQ(bench.unit[1].answers[0].data, (bytes{1, 2, 3}));
  EXPECT_EQ(bench.unit[1].answers[1].valid, ns(7));
}

TEST(bus_interface, lets_requests_of_one_moment_leave_together) {
  bus_bench bench(4, {}, quick_memory(0, stand_ins::answer::accepted));
  for (machine_unit& each : bench.unit) each.read(0x100, 4, ns(5));
  bench.run();
  for (machine_unit& each : bench.unit) EXPECT_EQ(each.answers.at(0).valid, ns(5));
}

TEST(bus_interface, sends_bursts_within_their_multiples_to_the_sockets_of_their_addresses) {
  bus_parameters p;
  p.sockets = 2;
  p.interleave_bytes = 64;
  p.burst_bytes = 32;
  bus_bench bench(1, p, quick_memory());
  std::vector<std::string> bursts;
  for (std::size_t i = 0; i < 2; ++i) {
    bench.memory.port[i].access = [&bursts, i](auto& payload) {
      std::string enables;
      for (unsigned b = 0; b < payload.get_byte_enable_length(); ++b) enables += payload.get_byte_enable_ptr()[b] != 0 ? '1' : '0';
      bursts.push_back(fmt::format("{}: {}+{} {}", i, payload.get_address(), payload.get_data_length(), enables));
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    };
  }
  bench.unit[0].read(28, 50);
  bytes enables(5, TLM_BYTE_ENABLED);
  enables[1] = TLM_BYTE_DISABLED;
  auto& masked = bench.unit[0].request(tlm::TLM_WRITE_COMMAND, 126, bytes(8));
  masked.set_byte_enable_ptr(enables.data());
  masked.set_byte_enable_length(5);
  bench.unit[0].memory.send(masked);
  bench.run();
  EXPECT_EQ(bursts, (std::vector<std::string>{"0: 28+4 ", "0: 32+32 ", "1: 64+14 ", "1: 126+2 10", "0: 128+6 111101"}));
}

TEST(bus_interface, gives_each_link_its_turn) {
  bus_parameters p;
  p.outstanding = 1;
  expect_limit();
  bus_bench bench(3, p, quick_memory(20, stand_ins::answer::accepted));
  constexpr unsigned reads = 10;
  for (machine_unit& each : bench.unit)
    for (unsigned i = 0; i < reads; ++i) each.read(0x100, 4);
  while (bench.unit[0].answers.size() < reads / 2) sc_core::sc_start(ns(1));
  for (machine_unit& each : bench.unit) EXPECT_NEAR(static_cast<double>(each.answers.size()), reads / 2, 1);
  bench.run();
  EXPECT_GT(statistics_of(bench.bus)["wait_cycles"], 0U);
}

class in_every_mode : public testing::TestWithParam<std::string> {
 public:
  static bus_parameters parameters(const std::string& mode) {
    if (mode == "approximate") return {};
    return loose(mode == "decoupled" ? ns(40) : sc_core::SC_ZERO_TIME);
  }
};

TEST_P(in_every_mode, an_error_goes_back_to_the_link_that_asked) {
  random_memory::params small;
  small.bytes = 0x1040;
  bus_parameters p = parameters(GetParam());
  p.interleave_bytes = p.burst_bytes = 32;
  bus_bench bench(2, p, small);
  bench.unit[0].read(0x1030, 32);
  bench.unit[1].write(0x1000, bytes(64, 7));
  bench.run();
  EXPECT_EQ(bench.unit[0].answers.at(0).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(bench.unit[1].answers.at(0).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(statistics_of(bench.bus)["errors"], 1U);
}

TEST_P(in_every_mode, answers_may_come_after_seconds) {
  random_memory::params slow;
  slow.max_delay_ns = 4000000000U;
  bus_bench bench(2, parameters(GetParam()), slow);
  for (unsigned i = 0; i < 40; ++i) bench.unit[i % 2].write(i / 2 * 4, bytes(4, static_cast<unsigned char>(i)), ns(1e9));
  bench.run();
  EXPECT_GT(sc_core::sc_time_stamp(), sc_time(1, sc_core::SC_SEC));
  for (machine_unit& each : bench.unit) EXPECT_EQ(each.answers.size(), 20U);
}

TEST_P(in_every_mode, a_blocking_call_waits_for_its_answer) {
  bus_bench bench(1, parameters(GetParam()), {});
  bytes data{1, 2, 3, 4}, read(4);
  sc_core::sc_spawn([&] {
    for (bytes* buffer : {&data, &read}) {
      tlm::tlm_generic_payload unmanaged;
      fabric::set_attributes(unmanaged, buffer == &data ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, 0x20, buffer->data(), 4);
      sc_time delay = ns(9);
      bench.unit[0].memory->b_transport(unmanaged, delay);
      EXPECT_TRUE(unmanaged.is_response_ok());
      EXPECT_GE(sc_core::sc_time_stamp() + delay, ns(9));
      sc_core::wait(delay);
    }
  });
  bench.run();
  EXPECT_EQ(read, data);
}

TEST_P(in_every_mode, debug_transport_passes_over_all_sockets) {
  bus_parameters p = parameters(GetParam());
  p.sockets = 3;
  p.interleave_bytes = 128;
  random_memory::params small;
  small.bytes = 1000;
  bus_bench bench(1, p, small);
  bytes data(900, 5), read(900);
  tlm::tlm_generic_payload payload;
  fabric::set_attributes(payload, tlm::TLM_WRITE_COMMAND, 50, data.data(), 900);
  EXPECT_EQ(bench.unit[0].memory->transport_dbg(payload), 900U);
  fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, 50, read.data(), 900);
  EXPECT_EQ(bench.unit[0].memory->transport_dbg(payload), 900U);
  EXPECT_EQ(read, data);
  payload.set_address(600);
  EXPECT_EQ(bench.unit[0].memory->transport_dbg(payload), 296U) << "up to a multiple of 128, from where on some bytes do not exist";
}

INSTANTIATE_TEST_SUITE_P(bus_interface, in_every_mode, testing::Values("approximate", "loose", "decoupled"),
                         [](const auto& test) { return test.param; });

TEST(bus_interface, uses_pointers_until_they_are_revoked) {
  random_memory::params memory = quick_memory();
  bus_bench bench(1, loose(ns(100)), memory);
  bytes page(64, 3);
  unsigned asked = 0;
  bench.memory.port[0].access = [](auto& payload) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    payload.set_dmi_allowed(true);
  };
  bench.memory.port[0].direct = [&](auto& payload, auto& region) {
    ++asked;
    if (payload.is_write()) return false;
    region.set_dmi_ptr(page.data());
    region.set_start_address(0x100);
    region.set_end_address(0x13f);
    region.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_READ);
    region.set_read_latency(ns(7));
    return true;
  };
  bench.unit[0].read(0x100, 4);
  bench.run();
  bench.unit[0].read(0x13c, 4, ns(2));
  ASSERT_EQ(bench.unit[0].answers.size(), 2U) << "answered in the call";
  EXPECT_EQ(bench.unit[0].answers[1].valid - sc_core::sc_time_stamp(), ns(9));
  EXPECT_EQ(bench.unit[0].answers[1].data, bytes(4, 3));
  bench.unit[0].read(0x13e, 4);
  bench.unit[0].write(0x100, {9});
  EXPECT_EQ(bench.unit[0].answers.size(), 2U) << "a part of the bytes, and a write, are not allowed";
  bench.run();
  EXPECT_EQ(page[0], 3);
  bench.memory.port[0].socket->invalidate_direct_mem_ptr(0x13f, 0x200);
  const unsigned before = bench.memory.requests();
  bench.unit[0].read(0x100, 4);
  bench.run();
  EXPECT_EQ(bench.memory.requests(), before + 1);
  EXPECT_EQ(statistics_of(bench.bus)["direct_accesses"], 1U);
  EXPECT_GT(asked, 0U);
}

TEST(bus_interface, waits_for_a_link_that_takes_its_time_to_end_responses) {
  fabric::clock_domain clock("clock", ns(1));
  fabric::scripted_initiator unit("unit");
  bus_interface bus("bus", {}, clock);
  random_memory memory("memory", quick_memory());
  fabric::base_protocol_monitor<> monitor("monitor");
  unit.socket.bind(monitor.target);
  monitor.initiator.bind(bus.port);
  bus.bus[0].bind(memory.port[0].socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::vector<tlm::tlm_generic_payload*> responses;
  unit.on_backward = [&](auto& payload, auto& phase, auto&) {
    if (phase == tlm::BEGIN_RESP) responses.push_back(&payload);
    return tlm::TLM_ACCEPTED;
  };
  fabric::payload_pool pool;
  std::array<unsigned char, 4> data{};
  for (unsigned i = 0; i < 3; ++i) {
    tlm::tlm_generic_payload& payload = pool.get();
    fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, 4 * i, data.data(), 4);
    unit.forward(payload, tlm::BEGIN_REQ);
    sc_core::sc_start(ns(1));
  }
  for (std::size_t i = 1; i <= 3; ++i) {
    ASSERT_EQ(responses.size(), i) << "one at a time";
    unit.forward(*responses.back(), tlm::END_RESP, ns(5));
    responses.back()->release();
    sc_core::sc_start(ns(4));
    EXPECT_EQ(responses.size(), i) << "before the end takes effect";
    sc_core::sc_start(ns(2));
  }
  EXPECT_TRUE(bus.idle());
  EXPECT_EQ(pool.live(), 0U);
}

TEST(bus_interface, takes_a_request_from_inside_the_end_of_another) {
  fabric::clock_domain clock("clock", ns(1));
  fabric::scripted_initiator unit("unit");
  bus_interface bus("bus", loose(ns(100)), clock);
  random_memory memory("memory", quick_memory());
  unit.socket.bind(bus.port);
  bus.bus[0].bind(memory.port[0].socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  fabric::payload_pool pool;
  std::array<unsigned char, 4> data{};
  unsigned sent = 0, answers = 0;
  const auto send = [&] {
    tlm::tlm_generic_payload& payload = pool.get();
    fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, 4 * sent++, data.data(), 4);
    unit.forward(payload, tlm::BEGIN_REQ);
  };
  unit.on_backward = [&](auto& payload, auto& phase, auto&) {
    if (phase == tlm::END_REQ && sent < 3) send();
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    ++answers;
    payload.release();
    return tlm::TLM_COMPLETED;
  };
  send();
  sc_core::sc_start(ns(500));
  EXPECT_EQ(answers, 3U);
  EXPECT_TRUE(bus.idle());
}

TEST(bus_interface, reports_a_target_that_answers_twice) {
  fabric::clock_domain clock("clock", ns(1));
  machine_unit unit("unit");
  bus_interface bus("bus", {}, clock);
  fabric::scripted_target target("target");
  unit.memory.bind(bus.port);
  bus.bus[0].bind(target.socket);
  std::vector<tlm::tlm_generic_payload*> requests;
  target.on_forward = [&](auto& payload, auto& phase, auto&) {
    payload.acquire();
    requests.push_back(&payload);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  };
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  unit.read(0, 4);
  unit.read(64, 4);
  sc_core::sc_start(ns(1));
  ASSERT_EQ(requests.size(), 2U);
  requests[0]->set_response_status(tlm::TLM_OK_RESPONSE);
  target.backward(*requests[0], tlm::BEGIN_RESP);
  try {
    target.backward(*requests[0], tlm::BEGIN_RESP);
    ADD_FAILURE() << "no report";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), fabric::report::initiator_phase);
  }
  EXPECT_EQ(unit.answers.size(), 1U);
  EXPECT_FALSE(bus.idle());
}

struct parameter_case {
  const char* name;
  void (*change)(bus_parameters& parameters);
  const char* text;
};
void PrintTo(const parameter_case& test, std::ostream* out) { *out << test.name; }

class wrong_parameters : public testing::TestWithParam<parameter_case> {};

TEST_P(wrong_parameters, are_reported_with_what_would_be_right) {
  fabric::clock_domain clock("clock", ns(1));
  bus_parameters p;
  GetParam().change(p);
  try {
    bus_interface bus("bus", p, clock);
    ADD_FAILURE() << "no report";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), fabric::report::bus_parameters);
    EXPECT_NE(std::string(report.get_msg()).find(GetParam().text), std::string::npos) << report.get_msg();
  }
}

INSTANTIATE_TEST_SUITE_P(bus_interface, wrong_parameters,
                         testing::Values(parameter_case{"no_socket", [](auto& p) { p.sockets = 0; }, "one at least"},
                                         parameter_case{"nothing_outstanding", [](auto& p) { p.outstanding = 0; }, "one transaction"},
                                         parameter_case{"no_burst", [](auto& p) { p.burst_bytes = 0; }, "one byte"},
                                         parameter_case{"interleave", [](auto& p) { p.interleave_bytes = 192; }, "a multiple"}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tc::platform::test::bus_interface_test
