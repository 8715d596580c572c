// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <tc/fabric/extensions.hpp>
#include <tc/memory/global_memory.hpp>
#include <tc/memory/undefined_ranges.hpp>

#include "memory_bench.hpp"

// What has been written without a value (fabric::undefined_bytes).

namespace tc::memory::undefined_bytes_test {
namespace {

constexpr std::uint64_t base = 0x10000;

global_memory::params global_params() {
  global_memory::params p;
  p.memory.hierarchy.enabled = false;
  return p;
}

struct bench {
  explicit bench(const global_memory::params& parameters) : memory("memory", parameters, clock) {
    peer.monitor.initiator.bind(memory.port);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  /// Writes as many bytes as there are characters; those with a '?' have no value.
  void write(std::uint64_t address, const std::string& bytes) {
    auto& payload = requests.payload(tlm::TLM_WRITE_COMMAND, address, static_cast<unsigned>(bytes.size()));
    fabric::undefined_bytes& undefined = fabric::undefined_bytes::of(payload);
    undefined.any = bytes.find('?') != std::string::npos;
    undefined.flags.clear();
    for (const char byte : bytes) undefined.flags.push_back(byte == '?' ? 1 : 0);
    requests.send(peer, payload, 1);
    payload.release();
  }

  /// The bytes that a read finds: '?' if it is undefined, else '.'.
  std::string read(std::uint64_t address, unsigned count, bool by_debug_transport = false) {
    auto& payload = requests.payload(tlm::TLM_READ_COMMAND, address, count);
    fabric::undefined_bytes& undefined = fabric::undefined_bytes::of(payload);
    undefined.any = false;
    if (by_debug_transport)
      EXPECT_EQ(peer.peer.socket->transport_dbg(payload), count);
    else
      requests.send(peer, payload, 1);
    std::string seen(count, '.');
    for (unsigned i = 0; undefined.any && i < count; ++i)
      if (undefined.flags.at(i) != 0) seen[i] = '?';
    payload.release();
    return seen;
  }

  fabric::clock_domain clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  test::monitored_peer peer{"peer"};
  global_memory memory;
  test::requester requests;
};

struct global_bench : bench {
  global_bench() : bench(global_params()) { memory.add_region(base, 4096); }
};

TEST(undefined_bytes, of_global_memory_are_told_until_something_else_is_written) {
  global_bench test;
  EXPECT_EQ(test.read(base, 8), "........") << "nobody has written them, but they have a content";
  test.write(base, "..????..");
  test.write(base + 8, "??");
  EXPECT_EQ(test.read(base, 12), "..????..??..");
  EXPECT_EQ(test.read(base, 12, true), "..????..??..") << "by debug transport";
  EXPECT_EQ(test.read(base + 3, 2), "??");
  test.write(base + 3, "..");
  EXPECT_EQ(test.read(base, 12), "..?..?..??..");
  test.write(base + 2, "?.?");
  EXPECT_EQ(test.read(base, 12), "..?.??..??..");
}

TEST(undefined_bytes, that_are_not_enabled_are_not_written) {
  global_bench test;
  test.write(base, "????");
  unsigned char enables[] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
  auto& payload = test.requests.payload(tlm::TLM_WRITE_COMMAND, base, 4);
  payload.set_byte_enable_ptr(enables);
  payload.set_byte_enable_length(2);
  fabric::undefined_bytes::of(payload).any = false;
  test.requests.send(test.peer, payload, 1);
  payload.release();
  EXPECT_EQ(test.read(base, 4), ".?.?");
}

TEST(undefined_bytes, get_a_value_from_a_new_region_and_from_a_reset) {
  global_bench test;
  test.write(base, "????????");
  test.memory.add_region(base + 2, 4);
  EXPECT_EQ(test.read(base, 8), "??....??");
  test.memory.reset();
  EXPECT_EQ(test.read(base, 8), "........");
}

TEST(undefined_bytes, are_not_accessed_directly) {
  global_bench test;
  tlm::tlm_dmi region;
  auto& payload = test.requests.payload(tlm::TLM_READ_COMMAND, base, 1);
  ASSERT_TRUE(test.peer.peer.socket->get_direct_mem_ptr(payload, region));
  test.write(base + 64, "?");
  EXPECT_EQ(test.peer.peer.invalidations, 1U) << "what the initiator wrote there would not define it";
  EXPECT_FALSE(test.peer.peer.socket->get_direct_mem_ptr(payload, region));
  test.write(base + 65, "?");
  EXPECT_EQ(test.peer.peer.invalidations, 1U);
  test.write(base + 64, "..");
  EXPECT_TRUE(test.peer.peer.socket->get_direct_mem_ptr(payload, region));
  payload.release();
}

TEST(undefined_ranges, reach_to_the_end_of_the_address_space) {
  constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  const unsigned char flags[] = {0, 1, 1, 1};
  undefined_ranges ranges;
  ranges.write(last - 3, 4, flags);
  EXPECT_FALSE(ranges.any(last - 3, 1));
  EXPECT_TRUE(ranges.any(last, 1));
  EXPECT_FALSE(ranges.any(0, 1));
  ranges.define(last - 1, 2);
  EXPECT_FALSE(ranges.any(last, 1));
  EXPECT_TRUE(ranges.any(last - 2, 3));
  ranges.define(0, last);
  EXPECT_TRUE(ranges.is_empty());
}

}  // namespace
}  // namespace tc::memory::undefined_bytes_test
