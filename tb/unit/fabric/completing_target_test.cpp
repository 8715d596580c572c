// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/completing_target.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/fabric/reports.hpp>

#include "scripted_peers.hpp"

namespace tc::fabric::completing_target_test {
namespace {

using sc_core::SC_NS;
using sc_core::SC_PS;
using sc_core::sc_time;

constexpr sc_dt::uint64 base = 0x1000;
constexpr unsigned size = 256;

/// 256 bytes from 0x1000 on, three cycles of latency.
class small_memory final : public sc_core::sc_module {
 public:
  completing_target port{"port", rules(), [this](auto& payload, const auto& delay) { return access(payload, delay); },
                         [this](auto& payload) { return transfer(payload); }};

  small_memory(const sc_core::sc_module_name& name, clock_domain& clock) : sc_module(name), clock_(clock) {}

  static access_rules rules() {
    access_rules rules;
    rules.base_address = base;
    rules.size_bytes = size;
    rules.alignment_bytes = 4;
    rules.max_length_bytes = 128;
    return rules;
  }

  unsigned accesses = 0;
  sc_time early;  // to answer too early on purpose

 private:
  sc_time access(tlm::tlm_generic_payload& payload, const sc_time& delay) {
    ++accesses;
    transfer(payload);
    return clock_.delay_to(clock_.edge_at(delay) + 3) - early;
  }

  unsigned transfer(tlm::tlm_generic_payload& payload) {
    unsigned char* bytes = &bytes_[payload.get_address() - base];
    const unsigned length = payload.get_data_length();
    if (payload.is_write()) {
      std::memcpy(bytes, payload.get_data_ptr(), length);
    } else {
      std::memcpy(payload.get_data_ptr(), bytes, length);
    }
    return length;
  }

  clock_domain& clock_;
  std::array<unsigned char, size> bytes_{};
};

struct bench {
  bench() {
    peer.socket.bind(monitor.target);
    monitor.initiator.bind(memory.port);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  tlm::tlm_generic_payload& request(tlm::tlm_command command, sc_dt::uint64 address, unsigned length = 4) {
    tlm::tlm_generic_payload& payload = pool.get();
    set_attributes(payload, command, address, data.data(), length);
    return payload;
  }

  std::string type_of_error(const std::function<void()>& action) {
    try {
      action();
    } catch (const sc_core::sc_report& report) {
      return report.get_msg_type();
    }
    return "";
  }

  payload_pool pool;
  std::array<unsigned char, 512> data{1, 2, 3, 4};
  clock_domain clock{"clock", sc_time(1, SC_NS)};
  scripted_initiator peer{"peer"};
  base_protocol_monitor<> monitor{"monitor"};
  small_memory memory{"memory", clock};
};

TEST(completing_target, completes_in_the_forward_call_with_its_latency) {
  bench test;
  tlm::tlm_generic_payload& payload = test.request(tlm::TLM_WRITE_COMMAND, base);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay(1500, SC_PS);
  EXPECT_EQ(test.peer.socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
  EXPECT_EQ(delay, sc_time(5, SC_NS)) << "arrival rounded up to cycle 2, and three cycles";
  EXPECT_TRUE(payload.is_response_ok());
  payload.release();
}

TEST(completing_target, blocking_transport_makes_the_same_change) {
  bench test;
  tlm::tlm_generic_payload& write = test.request(tlm::TLM_WRITE_COMMAND, base + 8);
  sc_time delay(1500, SC_PS);
  test.peer.socket->b_transport(write, delay);
  EXPECT_EQ(delay, sc_time(5, SC_NS));
  EXPECT_TRUE(write.is_response_ok());
  test.data.fill(0);
  tlm::tlm_generic_payload& read = test.request(tlm::TLM_READ_COMMAND, base + 8);
  EXPECT_EQ(test.peer.forward(read, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);
  EXPECT_EQ(test.data[3], 4);
  EXPECT_EQ(test.memory.accesses, 2u);
}

TEST(completing_target, debug_transport_needs_no_access) {
  bench test;
  EXPECT_EQ(test.peer.socket->transport_dbg(test.request(tlm::TLM_WRITE_COMMAND, base, size)), size) << "no limit of length";
  test.data.fill(0);
  EXPECT_EQ(test.peer.socket->transport_dbg(test.request(tlm::TLM_READ_COMMAND, base + 1, 2)), 2u) << "no alignment";
  EXPECT_EQ(test.data[1], 3);
  EXPECT_EQ(test.memory.accesses, 0u);
}

TEST(completing_target, debug_transport_outside_the_memory_transfers_nothing) {
  bench test;
  EXPECT_EQ(test.peer.socket->transport_dbg(test.request(tlm::TLM_READ_COMMAND, base + size - 2)), 0u);
  EXPECT_EQ(test.peer.socket->transport_dbg(test.request(tlm::TLM_IGNORE_COMMAND, base)), 0u);
}

TEST(completing_target, answers_a_bad_request_without_an_access) {
  bench test;
  tlm::tlm_generic_payload& payload = test.request(tlm::TLM_READ_COMMAND, base + size);
  sc_time delay(1, SC_NS);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  EXPECT_EQ(test.peer.socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(delay, sc_time(1, SC_NS));
  EXPECT_EQ(test.memory.accesses, 0u);
}

TEST(completing_target, does_nothing_for_an_ignore_command) {
  bench test;
  tlm::tlm_generic_payload& payload = test.request(tlm::TLM_IGNORE_COMMAND, 0);
  EXPECT_EQ(test.peer.forward(payload, tlm::BEGIN_REQ), tlm::TLM_COMPLETED);
  EXPECT_TRUE(payload.is_response_ok());
  EXPECT_EQ(test.memory.accesses, 0u);
}

TEST(completing_target, offers_no_direct_memory) {
  bench test;
  tlm::tlm_dmi region;
  EXPECT_FALSE(test.peer.socket->get_direct_mem_ptr(test.request(tlm::TLM_READ_COMMAND, base), region));
}

/// Without the monitor in between, which would report the peer first.
struct direct_bench {
  direct_bench() {
    peer.socket.bind(memory.port);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  clock_domain clock{"clock", sc_time(1, SC_NS)};
  scripted_initiator peer{"peer"};
  small_memory memory{"memory", clock};
  tlm::tlm_generic_payload payload;
};

TEST(completing_target, reports_every_other_phase_of_the_base_protocol) {
  direct_bench test;
  for (const auto phase : {tlm::END_REQ, tlm::BEGIN_RESP, tlm::END_RESP, tlm::UNINITIALIZED_PHASE}) {
    EXPECT_THROW(test.peer.forward(test.payload, phase), sc_core::sc_report) << phase;
  }
  EXPECT_EQ(sc_core::sc_report_handler::get_count(report::target_phase), 4);
}

TEST(completing_target, ignores_phases_it_does_not_know) {
  direct_bench test;
  DECLARE_EXTENDED_PHASE(half_way);
  EXPECT_EQ(test.peer.forward(test.payload, half_way), tlm::TLM_ACCEPTED);
}

TEST(completing_target, reports_a_memory_that_answers_before_the_request_arrives) {
  bench test;
  test.memory.early = sc_time(4, SC_NS);
  tlm::tlm_generic_payload& payload = test.request(tlm::TLM_READ_COMMAND, base);
  EXPECT_EQ(test.type_of_error([&] { test.peer.forward(payload, tlm::BEGIN_REQ, sc_time(2, SC_NS)); }), report::target_delay);
}

/// One change that makes the good request, or the rules, different, and the response it then deserves.
struct rules_case {
  const char* name;
  std::function<void(tlm::tlm_generic_payload&, access_rules&)> change;
  tlm::tlm_response_status expected;
};

std::ostream& operator<<(std::ostream& out, const rules_case& test) { return out << test.name; }

class access_rules_check : public testing::TestWithParam<rules_case> {};

TEST_P(access_rules_check, gives_the_response_of_the_standard) {
  tlm::tlm_generic_payload payload;
  std::array<unsigned char, 4> data{};
  set_attributes(payload, tlm::TLM_READ_COMMAND, base, data.data(), 4);
  access_rules rules = small_memory::rules();
  EXPECT_EQ(rules.check(payload), tlm::TLM_OK_RESPONSE);
  GetParam().change(payload, rules);
  EXPECT_EQ(rules.check(payload), GetParam().expected);
}

unsigned char enables[] = {0xff, 0xff, 0, 0xff};

const std::vector<rules_case> rules_cases{
    {"last_word", [](auto& p, auto&) { p.set_address(base + size - 4); }, tlm::TLM_OK_RESPONSE},
    {"longest",
     [](auto& p, auto&) {
       p.set_data_length(128);
       p.set_streaming_width(128);
     },
     tlm::TLM_OK_RESPONSE},
    {"ignore",
     [](auto& p, auto&) {
       p.set_command(tlm::TLM_IGNORE_COMMAND);
       p.set_address(0);
     },
     tlm::TLM_OK_RESPONSE},
    {"wide_stream", [](auto& p, auto&) { p.set_streaming_width(8); }, tlm::TLM_OK_RESPONSE},
    {"read_of_write_only", [](auto&, auto& r) { r.readable = false; }, tlm::TLM_COMMAND_ERROR_RESPONSE},
    {"write_of_read_only",
     [](auto& p, auto& r) {
       p.set_write();
       r.writable = false;
     },
     tlm::TLM_COMMAND_ERROR_RESPONSE},
    {"unknown_command", [](auto& p, auto&) { p.set_command(static_cast<tlm::tlm_command>(3)); }, tlm::TLM_COMMAND_ERROR_RESPONSE},
    {"no_data", [](auto& p, auto&) { p.set_data_ptr(nullptr); }, tlm::TLM_GENERIC_ERROR_RESPONSE},
    {"below", [](auto& p, auto&) { p.set_address(base - 4); }, tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"above", [](auto& p, auto&) { p.set_address(base + size); }, tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"across_the_end",
     [](auto& p, auto&) {
       p.set_address(base + size - 4);
       p.set_data_length(8);
       p.set_streaming_width(8);
     },
     tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"top_of_the_address_space", [](auto& p, auto&) { p.set_address(~sc_dt::uint64{3}); }, tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"misaligned", [](auto& p, auto&) { p.set_address(base + 2); }, tlm::TLM_ADDRESS_ERROR_RESPONSE},
    {"zero_length", [](auto& p, auto&) { p.set_data_length(0); }, tlm::TLM_BURST_ERROR_RESPONSE},
    {"odd_length", [](auto& p, auto&) { p.set_data_length(3); }, tlm::TLM_BURST_ERROR_RESPONSE},
    {"too_long",
     [](auto& p, auto&) {
       p.set_data_length(132);
       p.set_streaming_width(132);
     },
     tlm::TLM_BURST_ERROR_RESPONSE},
    {"streaming", [](auto& p, auto&) { p.set_data_length(8); }, tlm::TLM_BURST_ERROR_RESPONSE},
    {"byte_enables",
     [](auto& p, auto&) {
       p.set_byte_enable_ptr(enables);
       p.set_byte_enable_length(4);
     },
     tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE},
    {"byte_enables_allowed",
     [](auto& p, auto& r) {
       p.set_byte_enable_ptr(enables);
       p.set_byte_enable_length(4);
       r.byte_enables = true;
     },
     tlm::TLM_OK_RESPONSE},
    {"byte_enables_of_length_0",
     [](auto& p, auto& r) {
       p.set_byte_enable_ptr(enables);
       r.byte_enables = true;
     },
     tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE},
};

INSTANTIATE_TEST_SUITE_P(requests, access_rules_check, testing::ValuesIn(rules_cases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tc::fabric::completing_target_test
