// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn; must precede the first SystemC header
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/platform/register_target.hpp>

#include "device_bench.hpp"

// Accesses to registers act at the time that their delay says.

namespace tc::platform::test::register_target_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

sc_time ns(double count) { return {count, SC_NS}; }

/// A device and software that calls with delays.
struct delayed_software {
  explicit delayed_software(const std::string& preset = "volta") : bench("bench", params_of(preset)) {
    bench.device().on_done([this](const command_result&) { done = sc_core::sc_time_stamp(); });
    bench.device().on_idle([this] { idle = sc_core::sc_time_stamp(); });
  }

  static device_bench::params params_of(const std::string& preset) {
    device_bench::params params;
    params.machine = machine_of(preset);
    return params;
  }

  /// Returns the delay afterwards.
  sc_time access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value, sc_time delay) {
    tlm::tlm_generic_payload payload;
    fabric::set_attributes(payload, command, offset, reinterpret_cast<unsigned char*>(&value), sizeof value);
    bench.software->b_transport(payload, delay);
    EXPECT_TRUE(payload.is_response_ok());
    return delay;
  }
  sc_time write(std::uint32_t offset, std::uint32_t value, const sc_time& delay) {
    return access(tlm::TLM_WRITE_COMMAND, offset, value, delay);
  }
  void run_in_thread(const std::function<void()>& body) {
    sc_core::sc_spawn(body);
    sc_core::sc_start();
  }

  device_bench bench;
  sc_time done, idle;
};

TEST(delayed_access, a_doorbell_rings_at_its_time) {
  delayed_software software;
  software.bench.start();
  software.bench.queue(device_bench::descriptor<tcsim_command>(TCSIM_OPCODE_NO_OPERATION, 3));
  EXPECT_EQ(software.write(TCSIM_REG_TAIL, 1, ns(100000)), ns(100000));
  EXPECT_FALSE(software.bench.device().idle()) << "the doorbell is to come";
  EXPECT_EQ(software.bench.read(TCSIM_REG_TAIL), 0u);
  EXPECT_EQ(software.bench.read(TCSIM_REG_STATUS), TCSIM_STATUS_IDLE);
  sc_core::sc_start(ns(99999));
  EXPECT_EQ(software.bench.read(TCSIM_REG_TAIL), 0u);
  EXPECT_EQ(software.bench.memory().requests(), 0u) << "no descriptor is read before";
  software.bench.run();
  EXPECT_EQ(software.bench.read(TCSIM_REG_COMPLETED), 1u);
  EXPECT_GT(software.done, ns(100000));
  EXPECT_GE(software.idle, software.done);
}

TEST(delayed_access, a_kernel_takes_the_cycles_that_it_takes_without_a_delay) {
  delayed_software software;
  const tcsim_gemm gemm = descriptor_of(small_gemm(), 5);
  write_matrices(software.bench, gemm, 1);
  software.write(TCSIM_REG_RING_BASE_LOW, device_bench::ring, ns(3000));
  software.write(TCSIM_REG_RING_ENTRIES, device_bench::entries, ns(3001));
  software.write(TCSIM_REG_CONTROL, TCSIM_CONTROL_ENABLE, ns(3002));
  software.bench.queue(gemm);
  software.write(TCSIM_REG_TAIL, 1, ns(3003));
  software.bench.run();
  EXPECT_EQ(software.bench.record(5).status, static_cast<std::uint32_t>(TCSIM_RESULT_DONE));
  EXPECT_EQ(wrong_elements(software.bench, gemm, 1), 0u);
  EXPECT_GT(software.done, ns(3003));
}

TEST(delayed_access, writes_act_in_the_order_of_their_times_and_not_of_the_calls) {
  delayed_software software;
  software.bench.start();
  software.bench.queue(device_bench::descriptor<tcsim_command>(TCSIM_OPCODE_NO_OPERATION, 3));
  software.write(TCSIM_REG_TIME_LIMIT_LOW, 7, ns(20));
  software.write(TCSIM_REG_TIME_LIMIT_LOW, 8, ns(20));
  software.write(TCSIM_REG_TIME_LIMIT_LOW, 9, ns(10));
  software.write(TCSIM_REG_TIME_LIMIT_LOW, 6, ns(0));
  EXPECT_EQ(software.bench.read(TCSIM_REG_TIME_LIMIT_LOW), 6u);
  sc_core::sc_start(ns(11));
  EXPECT_EQ(software.bench.read(TCSIM_REG_TIME_LIMIT_LOW), 9u);
  sc_core::sc_start(ns(10));
  EXPECT_EQ(software.bench.read(TCSIM_REG_TIME_LIMIT_LOW), 8u) << "of one time, the call that came last";
}

TEST(delayed_access, a_reset_acts_at_its_time) {
  delayed_software software;
  software.bench.start();
  software.write(TCSIM_REG_CONTROL, TCSIM_CONTROL_RESET, ns(50));
  EXPECT_EQ(software.bench.read(TCSIM_REG_RING_ENTRIES), device_bench::entries);
  sc_core::sc_start(ns(49));
  EXPECT_EQ(software.bench.read(TCSIM_REG_RING_ENTRIES), device_bench::entries);
  software.bench.run();
  EXPECT_EQ(software.bench.read(TCSIM_REG_RING_ENTRIES), 0u);
  EXPECT_TRUE(software.bench.cause(TCSIM_INTERRUPT_CAUSE_RESET_DONE));
}

TEST(delayed_access, the_interrupt_is_enabled_at_its_time) {
  delayed_software software;
  software.bench.start();
  software.bench.status_of(device_bench::descriptor<tcsim_command>(TCSIM_OPCODE_NO_OPERATION, 3));
  const sc_time now = sc_core::sc_time_stamp();
  software.write(TCSIM_REG_INTERRUPT_ENABLE, TCSIM_INTERRUPT_CAUSE_QUEUE_EMPTY, ns(50));
  sc_core::sc_start(ns(49));
  EXPECT_FALSE(software.bench.interrupt.read());
  software.bench.run();
  EXPECT_TRUE(software.bench.interrupt.read());
  EXPECT_GE(software.idle, now + ns(50)) << "told, though nothing began: the write was to come";
}

TEST(delayed_access, in_a_thread_waits_for_its_time) {
  delayed_software software;
  std::uint32_t before = 0, after = 0;
  sc_core::sc_spawn([&] {
    EXPECT_EQ(software.access(tlm::TLM_READ_COMMAND, TCSIM_REG_TIME_LIMIT_LOW, before, ns(19)), sc_core::SC_ZERO_TIME);
    EXPECT_EQ(sc_core::sc_time_stamp(), ns(19));
    software.access(tlm::TLM_READ_COMMAND, TCSIM_REG_TIME_LIMIT_LOW, after, ns(2));
    EXPECT_EQ(sc_core::sc_time_stamp(), ns(21));
  });
  software.run_in_thread([&] {
    EXPECT_EQ(software.write(TCSIM_REG_TIME_LIMIT_LOW, 7, ns(20)), sc_core::SC_ZERO_TIME);
    EXPECT_EQ(sc_core::sc_time_stamp(), ns(20));
  });
  EXPECT_EQ(before, 0u);
  EXPECT_EQ(after, 7u);
}

/// An initiator of non-blocking calls at the registers of its own.
class phased_software final : public sc_core::sc_module {
 public:
  explicit phased_software(const sc_core::sc_module_name& name) : sc_module(name) {}

  fabric::base_protocol_initiator port{"port", [this](auto& payload, const auto& delay) {
                                         answers.emplace_back(sc_core::sc_time_stamp() + delay, value_of(payload));
                                         payload.release();
                                       }};

  void send(tlm::tlm_command command, std::uint32_t offset, std::uint32_t value, const sc_time& delay) {
    words.push_back(value);
    tlm::tlm_generic_payload& payload = pool.get();
    fabric::set_attributes(payload, command, offset, reinterpret_cast<unsigned char*>(&words.back()), 4);
    port.send(payload, delay);
  }

  std::vector<std::pair<sc_time, std::uint32_t>> answers;
  std::deque<std::uint32_t> words;
  fabric::payload_pool pool;

 private:
  static std::uint32_t value_of(const tlm::tlm_generic_payload& payload) {
    return *reinterpret_cast<const std::uint32_t*>(payload.get_data_ptr());
  }
};

/// Registers that are plain words.
class plain_registers final : public sc_core::sc_module {
 public:
  explicit plain_registers(const sc_core::sc_module_name& name) : sc_module(name) {}

  std::array<std::uint32_t, 4> words{11, 0, 0, 0};
  register_target port{"port",
                       16,
                       {[](auto offset) { return offset != 0; }, [](auto offset) { return offset == 0; },
                        [this](auto offset, const auto&) { return words.at(offset / 4); },
                        [this](auto offset, auto value) { words.at(offset / 4) = value; }, [] {}, [](auto&) { return 0u; }}};
};

TEST(delayed_access, in_phases_is_answered_at_its_time) {
  phased_software software("software");
  plain_registers registers("registers");
  software.port.bind(registers.port);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  software.send(tlm::TLM_READ_COMMAND, 0, 0, ns(5));
  software.send(tlm::TLM_READ_COMMAND, 4, 0, ns(9));
  software.send(tlm::TLM_WRITE_COMMAND, 4, 21, ns(10));
  software.send(tlm::TLM_READ_COMMAND, 4, 0, ns(10));
  software.send(tlm::TLM_READ_COMMAND, 4, 0, ns(10));
  EXPECT_FALSE(registers.port.idle());
  sc_core::sc_start();
  EXPECT_TRUE(registers.port.idle());
  const std::vector<std::pair<sc_time, std::uint32_t>> expected{{ns(5), 11}, {ns(9), 0}, {ns(10), 21}, {ns(10), 21}, {ns(10), 21}};
  EXPECT_EQ(software.answers, expected);
  EXPECT_EQ(software.pool.live(), 0u);
}

}  // namespace
}  // namespace tc::platform::test::register_target_test
