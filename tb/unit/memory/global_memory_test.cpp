// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include <tc/fabric/reports.hpp>
#include <tc/memory/global_memory.hpp>

#include "memory_bench.hpp"

namespace tc::memory::global_memory_test {
namespace {

constexpr unsigned l1_hit = 10, l2_hit = 100;
constexpr std::uint64_t page = paged_storage::page_bytes;

struct bench {
  explicit bench(bool data = true, bool caches = false) : bench(params(data, caches)) {}
  explicit bench(const global_memory::params& p) : memory("memory", p, clock) {
    first.monitor.initiator.bind(memory.port);
    second.monitor.initiator.bind(memory.port);
    memory.add_region(0x10000, 0x1000, [](std::uint64_t offset, std::uint8_t* destination, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) destination[i] = static_cast<std::uint8_t>(offset + i);
    });
    memory.add_region(4 * page - 8, 16);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  static global_memory::params params(bool data, bool caches) {
    global_memory::params p;
    p.memory.latency_cycles = 300;
    p.memory.hierarchy.enabled = caches;
    p.memory.hierarchy.l1_hit_cycles = l1_hit;
    p.memory.hierarchy.l2_hit_cycles = l2_hit;
    p.data = data;
    return p;
  }

  fabric::clock_domain clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  test::monitored_peer first{"first"}, second{"second"};
  global_memory memory;
  test::requester requests;
};

TEST(global_memory, answers_after_its_latency) {
  bench test;
  const test::answer a = test.requests.read(test.first, 0x10010, 4, 2);
  EXPECT_EQ(a.status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(a.cycles, 302U);
  EXPECT_EQ(test.requests.data[3], 0x13);
}

TEST(global_memory, shows_all_links_the_same_bytes) {
  bench test;
  test.requests.data = {1, 2, 3, 4};
  test.requests.write(test.first, 0x10100, 4);
  test.requests.data.fill(0);
  test.requests.read(test.second, 0x10101, 2);
  EXPECT_EQ(test.requests.data[0], 2);
  EXPECT_EQ(test.requests.data[1], 3);
}

TEST(global_memory, answers_with_an_address_error_outside_its_regions) {
  bench test;
  EXPECT_EQ(test.requests.read(test.first, 0xffff, 1).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(test.requests.write(test.first, 0x10ffe, 4).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(test.requests.read(test.first, std::numeric_limits<std::uint64_t>::max(), 1).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(statistics_of(test.memory)["address_errors"], 2U) << "the last lies outside every address space";
}

/// What is refused changes nothing, and pages that are there still answer.
TEST(global_memory, takes_no_more_of_the_host_than_it_may) {
  sc_core::sc_report_handler::set_actions(fabric::report::memory_full, sc_core::SC_DO_NOTHING);
  global_memory::params two_pages = bench::params(true, false);
  two_pages.memory.max_bytes = 3 * page - 1;
  bench test(two_pages);
  test.memory.add_region(8 * page, 8 * page);
  test.requests.data = {1, 2, 3, 4};
  EXPECT_EQ(test.requests.write(test.first, 9 * page - 2, 4).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(test.requests.write(test.first, 10 * page - 2, 4).status, tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(test.requests.read(test.first, 12 * page, 4).status, tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(sc_core::sc_report_handler::get_count(fabric::report::memory_full), 2);
  auto& payload = test.requests.payload(tlm::TLM_WRITE_COMMAND, 12 * page, 4);
  EXPECT_EQ(test.first.peer.socket->transport_dbg(payload), 0U);
  payload.set_read();
  EXPECT_EQ(test.first.peer.socket->transport_dbg(payload), 4U) << "to look at it needs no page";
  tlm::tlm_dmi region;
  EXPECT_FALSE(test.first.peer.socket->get_direct_mem_ptr(payload, region));
  payload.release();
  test.requests.data.fill(9);
  EXPECT_EQ(test.requests.read(test.first, 9 * page - 2, 4).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(test.requests.data[3], 4);
  EXPECT_EQ(test.requests.read(test.first, 10 * page - 2, 2).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(test.requests.data[0], 0) << "a part of what was refused was written";
}

TEST(global_memory, crosses_pages) {
  bench test;
  std::fill_n(test.requests.data.begin(), 16, static_cast<unsigned char>(7));
  test.requests.data[15] = 8;
  EXPECT_EQ(test.requests.write(test.first, 4 * page - 8, 16).status, tlm::TLM_OK_RESPONSE);
  test.requests.data.fill(0);
  EXPECT_EQ(test.requests.read(test.first, 4 * page - 1, 9).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(test.requests.data[0], 7);
  EXPECT_EQ(test.requests.data[8], 8);
}

TEST(global_memory, obeys_byte_enables) {
  bench test;
  const std::array<unsigned char, 2> enables{TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
  test.requests.data = {0xa0, 0xa1, 0xa2, 0xa3};
  tlm::tlm_generic_payload& payload = test.requests.payload(tlm::TLM_WRITE_COMMAND, 0x10000, 4);
  payload.set_byte_enable_ptr(const_cast<unsigned char*>(enables.data()));
  payload.set_byte_enable_length(2);
  EXPECT_EQ(test.requests.send(test.first, payload, 1).status, tlm::TLM_OK_RESPONSE);
  payload.release();
  test.requests.read(test.first, 0x10000, 4);
  EXPECT_EQ(test.requests.data[0], 0xa0);
  EXPECT_EQ(test.requests.data[1], 1) << "as it was";
  EXPECT_EQ(test.requests.data[2], 0xa2);
}

TEST(global_memory, debug_transport_takes_no_time_and_leaves_no_trace) {
  bench test;
  auto& payload = test.requests.payload(tlm::TLM_READ_COMMAND, 0x10000, 256);
  EXPECT_EQ(test.first.peer.socket->transport_dbg(payload), 256U);
  EXPECT_EQ(test.requests.data[255], 0xff);
  payload.set_address(0);
  EXPECT_EQ(test.first.peer.socket->transport_dbg(payload), 0U);
  EXPECT_EQ(statistics_of(test.memory)["reads"], 0U);
  payload.release();
}

TEST(global_memory, gives_direct_access_to_the_existing_part_of_a_page) {
  bench test;
  tlm::tlm_dmi region;
  auto& payload = test.requests.payload(tlm::TLM_READ_COMMAND, 4 * page + 3, 1);
  ASSERT_TRUE(test.first.peer.socket->get_direct_mem_ptr(payload, region));
  EXPECT_EQ(region.get_start_address(), 4 * page);
  EXPECT_EQ(region.get_end_address(), 4 * page + 7);
  EXPECT_TRUE(region.is_read_write_allowed());
  EXPECT_EQ(region.get_read_latency(), sc_core::sc_time(300, sc_core::SC_NS));
  region.get_dmi_ptr()[3] = 0x5a;
  test.requests.read(test.second, 4 * page + 3, 1);
  EXPECT_EQ(test.requests.data[0], 0x5a);
  payload.set_address(0);
  EXPECT_FALSE(test.first.peer.socket->get_direct_mem_ptr(payload, region));
  payload.release();
}

TEST(global_memory, revokes_direct_access_and_changes_on_reset) {
  bench test;
  test.requests.data = {0x99};
  test.requests.write(test.first, 0x10001, 1);
  test.memory.reset();
  EXPECT_EQ(test.first.peer.invalidations, 1U);
  EXPECT_EQ(test.second.peer.invalidations, 1U);
  test.requests.read(test.first, 0x10001, 1);
  EXPECT_EQ(test.requests.data[0], 1);
  EXPECT_EQ(statistics_of(test.memory)["writes"], 0U);
}

/// Cycles of a read that arrives when nothing is on its way any more.
std::uint64_t late_read(bench& test, test::monitored_peer& from) {
  sc_core::sc_start(1, sc_core::SC_US);
  return test.requests.read(from, 0x10000, 4, 0).cycles;
}

TEST(global_memory, has_an_l1_cache_for_each_sm_until_a_kernel_begins) {
  bench test(true, true);
  EXPECT_GT(late_read(test, test.first), l2_hit);
  EXPECT_EQ(late_read(test, test.first), l1_hit);
  EXPECT_EQ(late_read(test, test.second), l2_hit) << "another SM";
  test.memory.begin_kernel();
  EXPECT_EQ(late_read(test, test.first), l2_hit);
  test.memory.reset();
  EXPECT_GT(late_read(test, test.first), l2_hit);
  tlm::tlm_dmi region;
  auto& payload = test.requests.payload(tlm::TLM_READ_COMMAND, 0x10000, 1);
  EXPECT_FALSE(test.first.peer.socket->get_direct_mem_ptr(payload, region)) << "past the caches";
  payload.release();
}

TEST(global_memory, gives_no_direct_access_without_data) {
  bench test(false);
  tlm::tlm_dmi region;
  auto& payload = test.requests.payload(tlm::TLM_READ_COMMAND, 0x10000, 1);
  EXPECT_FALSE(test.first.peer.socket->get_direct_mem_ptr(payload, region));
  payload.release();
}

TEST(global_memory, begins_a_region_over_a_link) {
  bench test;
  EXPECT_TRUE(test.requests.begin_region(test.first, 0x50000, 8, [](std::uint64_t offset, std::uint8_t* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::uint8_t>(0x40 + offset + i);
  }));
  EXPECT_EQ(test.requests.read(test.second, 0x50002, 4).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(test.requests.data[3], 0x45);
}

TEST(global_memory, without_data_knows_no_wrong_address) {
  bench test(false);
  test.requests.data[0] = 0x77;
  const test::answer a = test.requests.read(test.first, 0xdead0000, 4);
  EXPECT_EQ(a.status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(a.cycles, 301U);
  EXPECT_EQ(test.requests.data[0], 0x77) << "no byte moved";
}

TEST(global_memory, reports_a_region_that_cannot_be) {
  bench test;
  EXPECT_THROW(test.memory.add_region(0x50000, 0), sc_core::sc_report);
  EXPECT_THROW(test.memory.add_region(~std::uint64_t{0} - 1, 4), sc_core::sc_report);
  EXPECT_EQ(sc_core::sc_report_handler::get_count(fabric::report::memory_region), 2);
}

TEST(global_memory, counts_what_it_did) {
  bench test;
  test.requests.read(test.first, 0x10000, 128);
  test.requests.write(test.second, 0x10000, 16);
  const statistics_of counted(test.memory);
  EXPECT_EQ(counted["reads"], 1U);
  EXPECT_EQ(counted["bytes_read"], 128U);
  EXPECT_EQ(counted["writes"], 1U);
  EXPECT_EQ(counted["bytes_written"], 16U);
}

}  // namespace
}  // namespace tc::memory::global_memory_test
