// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/engine/barrier_unit.hpp>
#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/memory/shared_memory.hpp>
#include <tc/memory/shared_memory_adapter.hpp>

#include "engine_bench.hpp"
#include "shared_memory_peer.hpp"
#include "stand_ins/plain_memory.hpp"
#include "statistics_of.hpp"

namespace tc::engine::barrier_unit_test {
namespace {

using isa::barrier_action;
using links::barrier_response;
using links::barrier_transfer;

constexpr std::uint64_t object = 0x40;

/// A barrier unit with two initiators at a shared memory of 4 KiB, or at somebody else's.
struct bench {
  explicit bench(bool data = true) : unit("unit", params(data), clock) {
    memory::shared_memory::params shared;
    shared.memory.bytes = 4096;
    shared.data = data;
    memory = std::make_unique<memory::shared_memory>("memory", shared);
    unit.shared.bind(memory->port);
    reader.link.bind(memory->port);
    connect();
  }

  explicit bench(stand_ins::answer_style style) : unit("unit", params(true), clock) {
    stand_ins::plain_memory::params other;
    other.style = style;
    other.ports = 2;
    other.latency = [](const auto&) { return sc_core::sc_time(7, sc_core::SC_NS); };
    foreign = std::make_unique<stand_ins::plain_memory>("memory", other);
    monitor = std::make_unique<fabric::base_protocol_monitor<>>("monitor");
    adapter = std::make_unique<memory::shared_memory_adapter>("adapter", true, clock);
    monitor->initiator.bind(foreign->port[0].socket);
    adapter->memory.bind(monitor->target);
    unit.shared.bind(adapter->port);
    reader_adapter = std::make_unique<memory::shared_memory_adapter>("reader_adapter", true, clock);
    reader_adapter->memory.bind(foreign->port[1].socket);
    reader.link.bind(reader_adapter->port);
    connect();
  }

  static barrier_unit::params params(bool data) {
    barrier_unit::params p;
    p.unit.interval_cycles = 3;
    p.unit.access_cycles = 10;
    p.unit.wake_cycles = 5;
    p.data = data;
    return p;
  }

  void connect() {
    first.socket.bind(unit.barrier);
    second.socket.bind(unit.barrier);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  /// Sends a request, and lets it be answered.
  barrier_transfer run(barrier_transfer request) {
    const std::size_t before = first.late.size();
    if (!first.send(request).in_call) {
      sc_core::sc_start(100, sc_core::SC_NS);
      EXPECT_EQ(first.late.size(), before + 1) << "not answered";
    }
    return request;
  }
  barrier_transfer run(barrier_action action, std::uint32_t count = 1, std::uint32_t bytes = 0) {
    return run(test::barrier_request(action, object, count, bytes));
  }
  bool test_wait(bool parity) {
    barrier_transfer request = test::barrier_request(barrier_action::test_wait, object);
    request.parity = parity;
    return run(request).phase_completed;
  }

  fabric::clock_domain clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  test::barrier_peer first{"first", clock}, second{"second", clock};
  barrier_unit unit;
  std::unique_ptr<fabric::base_protocol_monitor<>> monitor;  // of the foreign memory
  std::unique_ptr<memory::shared_memory_adapter> adapter, reader_adapter;
  tc::test::shared_memory_peer reader{"reader"};
  std::unique_ptr<memory::shared_memory> memory;
  std::unique_ptr<stand_ins::plain_memory> foreign;
};

TEST(barrier_unit, completes_a_phase_by_arrivals_and_bytes) {
  bench test;
  EXPECT_EQ(test.run(barrier_action::initialise, 2).response, barrier_response::done);
  EXPECT_FALSE(test.test_wait(false));
  EXPECT_TRUE(test.test_wait(true));
  test.run(barrier_action::arrive);
  test.run(barrier_action::arrive_expect, 1, 256);
  test.run(barrier_action::complete, 1, 128);
  EXPECT_FALSE(test.test_wait(false));
  test.run(barrier_action::complete, 1, 128);
  EXPECT_TRUE(test.test_wait(false));
  EXPECT_FALSE(test.test_wait(true));
  EXPECT_EQ(statistics_of(test.unit)["phases"], 1U);
  EXPECT_EQ(statistics_of(test.unit)["bytes_completed"], 256U);
  EXPECT_TRUE(test.unit.idle());
}

TEST(barrier_unit, keeps_its_objects_in_shared_memory) {
  bench test;
  test.run(barrier_action::initialise, 2);
  std::uint64_t bits = 0;
  auto* const bytes = reinterpret_cast<unsigned char*>(&bits);
  EXPECT_TRUE(test.reader.link.read(links::memory_user::outside, object, bytes, 8));
  EXPECT_EQ(barrier_word::from_bits(bits).pending_arrivals(), 2U);

  barrier_word other = barrier_word::from_bits(bits);
  EXPECT_TRUE(other.arrive(1, false));
  bits = other.bits();
  EXPECT_TRUE(test.reader.link.write(links::memory_user::outside, object, bytes, 8));
  test.run(barrier_action::arrive);
  EXPECT_TRUE(test.test_wait(false)) << "one arrival was added to the bits";
}

TEST(barrier_unit, takes_one_operation_at_a_time) {
  bench test;
  barrier_transfer one = test::barrier_request(barrier_action::initialise, object, 2);
  barrier_transfer two = test::barrier_request(barrier_action::arrive, object);
  EXPECT_EQ(test.first.send(one).cycle, 11U) << "arrives in cycle 1";
  EXPECT_EQ(test.second.send(two).cycle, 14U) << "three cycles behind";
}

TEST(barrier_unit, answers_those_who_wait_when_the_phase_completes) {
  bench test;
  test.run(barrier_action::initialise);
  barrier_transfer waits[2] = {test::barrier_request(barrier_action::wait, object), test::barrier_request(barrier_action::wait, object)};
  EXPECT_FALSE(test.first.send(waits[0]).in_call);
  EXPECT_FALSE(test.second.send(waits[1]).in_call);
  sc_core::sc_start(50, sc_core::SC_NS);
  EXPECT_TRUE(test.first.late.empty());
  EXPECT_FALSE(test.unit.idle());
  barrier_transfer arrival = test::barrier_request(barrier_action::arrive, object);
  EXPECT_EQ(test.first.send(arrival).cycle, 61U);
  EXPECT_TRUE(test.first.late.empty()) << "not from inside the call";
  sc_core::sc_start(50, sc_core::SC_NS);
  ASSERT_EQ(test.first.late.size(), 1U);
  ASSERT_EQ(test.second.late.size(), 1U);
  EXPECT_EQ(test.first.late[0].request, &waits[0]);
  EXPECT_EQ(test.first.late[0].cycle, 66U);
  EXPECT_TRUE(waits[0].phase_completed && waits[1].phase_completed);
  EXPECT_TRUE(test.unit.idle());
  EXPECT_TRUE(test.first.send(waits[0]).in_call) << "the phase has completed";
}

TEST(barrier_unit, refuses_what_is_no_barrier) {
  bench test;
  EXPECT_EQ(test.run(barrier_action::arrive).response, barrier_response::not_initialised);
  EXPECT_EQ(test.run(test::barrier_request(barrier_action::initialise, 0x44)).response, barrier_response::bad_address);
  EXPECT_EQ(test.run(test::barrier_request(barrier_action::initialise, 4096)).response, barrier_response::bad_address);
  EXPECT_EQ(test.run(barrier_action::initialise, 1U << 20).response, barrier_response::overflow);
  test.run(barrier_action::initialise, 2);
  EXPECT_EQ(test.run(barrier_action::arrive, 3).response, barrier_response::overflow);
  EXPECT_EQ(test.run(barrier_action::arrive, 2).response, barrier_response::done) << "the refused one left no trace";
  test.run(barrier_action::invalidate);
  EXPECT_EQ(test.run(barrier_action::arrive).response, barrier_response::not_initialised);
}

TEST(barrier_unit, forgets_the_objects_of_a_former_cta) {
  bench test;
  test.run(barrier_action::initialise);
  test.unit.begin_region(object + 8, 1024);
  EXPECT_EQ(test.run(barrier_action::expect, 1, 8).response, barrier_response::done);
  test.unit.begin_region(object, 8);
  EXPECT_EQ(test.run(barrier_action::arrive).response, barrier_response::not_initialised);
}

TEST(barrier_unit, tells_who_waits_for_a_barrier_that_vanishes) {
  bench test;
  test.run(barrier_action::initialise);
  barrier_transfer wait = test::barrier_request(barrier_action::wait, object);
  test.first.send(wait);
  barrier_transfer invalidation = test::barrier_request(barrier_action::invalidate, object);
  EXPECT_TRUE(test.second.send(invalidation).in_call);
  sc_core::sc_start(50, sc_core::SC_NS);
  EXPECT_EQ(test.first.late.size(), 1U);
  EXPECT_EQ(wait.response, barrier_response::not_initialised);
}

TEST(barrier_unit, settles_what_a_bulk_copy_brought_once_somebody_has_waited) {
  bench test;
  const auto found = [&] {
    std::array<unsigned char, 8> data{};
    const links::access_run run{0, 0, 8, 0};
    links::shared_memory_transfer access;
    access.base = 0x100;
    access.bytes = 8;
    access.arrival = test.clock.cycle() + 1;
    access.runs_begin = &run;
    access.runs_end = &run + 1;
    access.buffer = data.data();
    test.reader.link.send(access);
    return access.hazard;
  };
  test.run(barrier_action::initialise);
  test.reader.link.change(links::shared_memory_transfer::kind::arrive, 0x100, 16);
  test.run(barrier_action::expect, 1, 16);
  barrier_transfer complete = test::barrier_request(barrier_action::complete, object, 1, 16);
  complete.region_base = 0x100;
  complete.region_bytes = 16;
  test.run(complete);
  EXPECT_TRUE(test.test_wait(true));
  EXPECT_EQ(found(), fabric::proxy_hazard::arriving) << "only an earlier phase was waited for";
  test.run(barrier_action::arrive);
  EXPECT_EQ(found(), fabric::proxy_hazard::arriving) << "complete, but nobody knows";
  EXPECT_TRUE(test.test_wait(false));
  EXPECT_EQ(found(), fabric::proxy_hazard::none);
}

TEST(barrier_unit, says_what_is_missing_and_who_waits) {
  bench test;
  test.run(barrier_action::initialise, 3);
  test.run(barrier_action::arrive_expect, 1, 512);
  warp::warp_context warp;
  warp.cta = 7;
  warp.warp_in_cta = 5;
  barrier_transfer wait = test::barrier_request(barrier_action::wait, object);
  wait.warp = &warp;
  test.first.send(wait);
  std::vector<std::string> lines;
  test.unit.describe(lines);
  EXPECT_EQ(lines, (std::vector<std::string>{"unit: mbarrier at 0x40: 2 of 3 arrivals and 512 bytes missing for the phase of parity 0; "
                                             "waiting: warp 5 of CTA 7"}));
}

TEST(barrier_unit, keeps_its_objects_itself_without_data) {
  bench test(false);
  test.run(barrier_action::initialise, 2);
  test.run(barrier_action::arrive, 2);
  EXPECT_TRUE(test.test_wait(false));
  EXPECT_EQ(test.run(test::barrier_request(barrier_action::initialise, 4096)).response, barrier_response::bad_address);
}

TEST(barrier_unit, is_as_new_after_reset) {
  bench test;
  test.run(barrier_action::initialise);
  barrier_transfer wait = test::barrier_request(barrier_action::wait, object);
  test.first.send(wait);
  test.unit.reset();
  EXPECT_TRUE(test.unit.idle());
  for (const char* name : {"operations", "phases", "waits", "bytes_completed", "busy_cycles"})
    EXPECT_EQ(statistics_of(test.unit)[name], 0U) << name;
  EXPECT_EQ(test.run(barrier_action::arrive).response, barrier_response::not_initialised);
}

/// With memories of other make, whatever way of answering they have.
class foreign_memory : public testing::TestWithParam<stand_ins::answer_style> {};

TEST_P(foreign_memory, serves_too) {
  bench test(GetParam());
  test.run(barrier_action::initialise);
  barrier_transfer waiting = test::barrier_request(barrier_action::wait, object);
  barrier_transfer arrivals[2] = {test::barrier_request(barrier_action::arrive, object),
                                  test::barrier_request(barrier_action::arrive, object)};
  test.second.send(waiting);
  test.first.late.clear();
  const bool in_call = test.first.send(arrivals[0]).in_call;
  test.first.send(arrivals[1]);
  sc_core::sc_start(200, sc_core::SC_NS);
  EXPECT_EQ(test.first.late.size(), in_call ? 0U : 2U);
  ASSERT_EQ(test.second.late.size(), 1U);
  EXPECT_TRUE(waiting.phase_completed);
  EXPECT_TRUE(test.test_wait(true)) << "two phases have completed";
  EXPECT_FALSE(test.test_wait(false));
  EXPECT_TRUE(test.unit.idle());
  test.monitor->check_end();
}

INSTANTIATE_TEST_SUITE_P(answers, foreign_memory,
                         testing::Values(stand_ins::answer_style::completed, stand_ins::answer_style::updated_begin_response,
                                         stand_ins::answer_style::accepted, stand_ins::answer_style::accepted_skips_end_request));

}  // namespace
}  // namespace tc::engine::barrier_unit_test
