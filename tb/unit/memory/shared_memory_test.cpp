// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <deque>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/dataflow_monitors.hpp>
#include <tc/memory/shared_memory.hpp>

#include "shared_memory_peer.hpp"
#include "statistics_of.hpp"

namespace tc::memory::shared_memory_test {
namespace {

using fabric::proxy_hazard;
using kind = links::shared_memory_transfer::kind;
using links::memory_user;
using run_list = std::vector<links::access_run>;

/// A unit of an SM, with a monitor on its link.
struct peer {
  explicit peer(const std::string& name) : unit(name.c_str()), monitor((name + "_monitor").c_str()) { unit.link.bind(monitor.target); }

  /// An access, which is answered in the call.
  links::shared_memory_transfer& send(links::shared_memory_transfer& access) {
    const unsigned before = unit.done;
    link.send(access);
    EXPECT_EQ(unit.done, before + 1);
    return access;
  }

  tc::test::shared_memory_peer unit;
  fabric::request_monitor<links::shared_memory_protocol> monitor;
  links::shared_memory_initiator& link = unit.link;
};

/// 4 KiB, 32 banks, two cycles a wavefront, two links.
struct bench {
  explicit bench(bool data = true) : memory("memory", params(data)) {
    for (peer* each : {&first, &second}) each->monitor.initiator.bind(memory.port);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  static shared_memory::params params(bool data) {
    shared_memory::params p;
    p.memory.bytes = 4096;
    p.memory.wavefront_cycles = p.memory.warp_wavefront_cycles = 2;
    p.data = data;
    return p;
  }

  /// An access of these runs, which take their data from one another's end on. It lives as long as the bench.
  links::shared_memory_transfer& make(bool is_write, run_list runs, std::uint64_t number = 0, cycle_t arrival = 1) {
    run_list& kept = runs_.emplace_back(std::move(runs));
    links::shared_memory_transfer& access = accesses_.emplace_back();
    access.is_write = is_write;
    access.number = number;
    access.arrival = arrival;
    std::uint16_t offset = 0;
    for (links::access_run& run : kept) {
      run.offset = offset;
      offset = static_cast<std::uint16_t>(offset + run.length);
      access.bytes = std::max<std::uint64_t>(access.bytes, run.address + run.length);
      access.wavefronts = run.group + 1U;
    }
    access.runs_begin = kept.data();
    access.runs_end = kept.data() + kept.size();
    access.buffer = data.data();
    access.undefined = undefined.data();
    return access;
  }

  /// Some bytes of one group; the cycle in which they are there.
  cycle_t read(peer& from, std::uint64_t address, std::uint16_t length, std::uint64_t number = 0, std::uint16_t group = 0,
               cycle_t arrival = 1) {
    return from.send(make(false, {{address, 0, length, group}}, number, arrival)).valid;
  }
  void write(std::uint64_t address, std::uint16_t length, memory_user user = memory_user::warp) {
    links::shared_memory_transfer& access = make(true, {{address, 0, length, 0}});
    access.user = user;
    first.send(access);
  }

  void announce(peer& from, std::uint64_t number, unsigned wavefronts, cycle_t arrival) {
    links::shared_memory_transfer announced;
    announced.number = number;
    announced.wavefronts = wavefronts;
    announced.arrival = arrival;
    from.link.announce(announced);
  }

  /// What a read of 8 bytes finds through a proxy, and where.
  std::pair<proxy_hazard, std::uint64_t> hazard(std::uint64_t address, memory_user user) {
    links::shared_memory_transfer& access = make(false, {{address, 0, 8, 0}});
    access.user = user;
    second.send(access);
    return {access.hazard, access.hazard == proxy_hazard::none ? 0 : access.first_hazard - address};
  }

  /// The bytes that a read finds: '?' if one is undefined, else '.'.
  std::string marks(std::uint64_t address, std::uint16_t length) {
    const links::shared_memory_transfer& access = first.send(make(false, {{address, 0, length, 0}}));
    std::string found(length, '.');
    for (unsigned i = 0; i < length && access.any_undefined; ++i) found[i] = undefined[i] != 0 ? '?' : '.';
    return found;
  }

  fabric::clock_domain clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  peer first{"first"}, second{"second"};
  shared_memory memory;
  std::array<unsigned char, 4096> data{}, undefined{};

 private:
  std::deque<run_list> runs_;
  std::deque<links::shared_memory_transfer> accesses_;
};

TEST(shared_memory, keeps_what_is_written) {
  bench test;
  std::iota(test.data.begin(), test.data.begin() + 8, static_cast<unsigned char>(1));
  test.write(0x404, 8);
  test.data.fill(0);
  test.read(test.second, 0x406, 4);
  EXPECT_EQ(test.data[0], 3);
  EXPECT_EQ(test.data[3], 6);
}

TEST(shared_memory, moves_all_runs_of_an_access) {
  bench test;
  std::iota(test.data.begin(), test.data.begin() + 20, static_cast<unsigned char>(1));
  test.first.send(test.make(true, {{0x10, 0, 4, 0}, {0x40, 0, 16, 0}}, 1));
  test.data.fill(0);
  test.first.send(test.make(false, {{0x40, 0, 16, 0}, {0x10, 0, 4, 0}}, 2, 20));
  EXPECT_EQ(test.data[0], 5);
  EXPECT_EQ(test.data[16], 1);
  EXPECT_EQ(test.data[19], 4);
}

TEST(shared_memory, serves_one_wavefront_at_a_time_over_all_links) {
  bench test;
  EXPECT_EQ(test.read(test.first, 0, 128), 3U) << "arrives in cycle 1";
  EXPECT_EQ(test.read(test.second, 0, 128), 5U);
  EXPECT_EQ(test.read(test.first, 0, 4, 0, 0, 10), 12U);
}

TEST(shared_memory, needs_a_wavefront_for_each_row_of_banks_a_run_covers) {
  bench test;
  EXPECT_EQ(test.read(test.first, 0, 512), 9U);
  EXPECT_EQ(statistics_of(test.memory)["wavefronts"], 4U);
}

TEST(shared_memory, serves_the_runs_of_a_group_together) {
  bench test;
  const auto& access = test.first.send(test.make(false, {{0, 0, 4, 0}, {132, 0, 4, 0}, {0, 0, 4, 0}, {128, 0, 4, 1}}, 1));
  EXPECT_EQ(access.first_valid, 3U) << "banks 0 and 1";
  EXPECT_EQ(access.valid, 5U) << "the next wavefront";
  EXPECT_EQ(statistics_of(test.memory)["wavefronts"], 2U);
}

TEST(shared_memory, finds_a_bank_conflict_in_a_group) {
  bench test;
  const auto& access = test.first.send(test.make(false, {{0, 0, 4, 0}, {128, 0, 4, 0}}, 1));
  EXPECT_EQ(access.valid, 5U) << "another word of bank 0";
  EXPECT_EQ(statistics_of(test.memory)["bank_conflicts"], 1U);
}

/// Groups of which the initiator knows that they have none take a wavefront each, whatever their runs are.
TEST(shared_memory, does_not_look_for_conflicts_where_there_are_none) {
  bench test;
  auto& access = test.make(false, {{0, 0, 4, 0}, {4, 0, 4, 0}, {128, 0, 4, 1}}, 1);
  access.is_conflict_free = true;
  access.conflicts = 2;
  test.first.send(access);
  EXPECT_EQ(access.first_valid, 3U);
  EXPECT_EQ(access.valid, 5U);
  EXPECT_EQ(statistics_of(test.memory)["wavefronts"], 2U);
  EXPECT_EQ(statistics_of(test.memory)["bank_conflicts"], 1U);
  EXPECT_EQ(statistics_of(test.memory)["reads"], 1U);
  EXPECT_EQ(statistics_of(test.memory)["bytes_read"], 12U);
}

TEST(shared_memory, serves_what_comes_after_its_wavefront_by_itself) {
  bench test;
  EXPECT_EQ(test.read(test.first, 0, 4, 1), 3U);
  EXPECT_EQ(test.read(test.first, 4, 4, 1, 0, 9), 11U);
  EXPECT_EQ(statistics_of(test.memory)["bank_conflicts"], 0U);
}

TEST(shared_memory, counts_the_conflicts_that_accesses_admit) {
  bench test;
  auto& access = test.make(false, {{0, 0, 4, 0}, {128, 0, 4, 1}}, 1);
  access.conflicts = 2;
  test.first.send(access);
  EXPECT_EQ(statistics_of(test.memory)["bank_conflicts"], 1U);
  EXPECT_EQ(statistics_of(test.memory)["busy_cycles"], 4U);
}

/// Whichever is called first, the lower link is served first in a cycle.
class arbitration : public testing::TestWithParam<bool> {};

TEST_P(arbitration, does_not_depend_on_the_order_of_calls) {
  bench test;
  peer& caller = GetParam() ? test.second : test.first;
  peer& other = GetParam() ? test.first : test.second;
  test.announce(caller, 1, 2, 5);
  test.announce(other, 1, 2, 5);
  const cycle_t caller_end = test.read(caller, 0, 4, 1, 1, 5);
  const cycle_t other_end = test.read(other, 0, 4, 1, 1, 5);
  EXPECT_EQ(GetParam() ? other_end : caller_end, 9U) << "link 0";
  EXPECT_EQ(GetParam() ? caller_end : other_end, 13U) << "link 1";
}

INSTANTIATE_TEST_SUITE_P(shared_memory, arbitration, testing::Bool());

TEST(shared_memory, prefers_the_earlier_arrival) {
  bench test;
  test.announce(test.first, 1, 1, 6);
  test.announce(test.second, 1, 1, 5);
  EXPECT_EQ(test.read(test.first, 0, 4, 1, 0, 6), 9U);
  EXPECT_EQ(test.read(test.second, 0, 4, 1, 0, 5), 7U);
}

TEST(shared_memory, tells_which_bytes_are_undefined) {
  bench test;
  test.write(0x10, 2);
  EXPECT_EQ(test.marks(0xf, 4), "?..?");
  auto& access = test.first.send(test.make(false, {{0x10, 0, 2, 0}, {0x20, 0, 4, 0}}));
  EXPECT_EQ(access.first_undefined, 0x20U);
  EXPECT_EQ(access.undefined_run, access.runs_begin + 1);
}

TEST(shared_memory, tells_what_was_undefined_when_it_was_written) {
  bench test;
  test.write(0, 8);
  auto& access = test.make(true, {{2, 0, 3, 0}});
  test.undefined = {1, 0, 1};
  access.any_undefined = true;
  test.first.send(access);
  EXPECT_EQ(test.marks(0, 8), "..?.?...");
  test.write(2, 3);
  EXPECT_EQ(test.marks(0, 8), "........");
}

TEST(shared_memory, forgets_what_a_former_cta_wrote) {
  bench test;
  test.write(0x10, 8);
  test.first.link.begin_region(0x14, 2);
  EXPECT_EQ(test.marks(0x10, 8), "....??..");
  test.first.link.begin_region(4092, 100);
  test.first.link.begin_region(5000, 100);
  EXPECT_EQ(test.marks(0x10, 8), "....??..") << "as far as the bytes exist";
}

TEST(shared_memory, defines_bytes_by_debug_transport_too) {
  bench test;
  const unsigned char value = 0x42;
  EXPECT_TRUE(test.first.link.write(memory_user::outside, 0x20, &value, 1));
  EXPECT_EQ(test.marks(0x20, 2), ".?");
  EXPECT_EQ(test.data[0], 0x42);
  std::array<unsigned char, 2> bytes{}, undefined{};
  EXPECT_TRUE(test.second.link.read(memory_user::warp, 0x20, bytes.data(), 2, undefined.data()));
  EXPECT_EQ(bytes[0], 0x42);
  EXPECT_EQ(undefined, (std::array<unsigned char, 2>{0, 1}));
  EXPECT_FALSE(test.second.link.read(memory_user::warp, 4095, bytes.data(), 2));
  EXPECT_EQ(statistics_of(test.memory)["writes"], 0U);
}

constexpr std::pair<proxy_hazard, std::uint64_t> no_hazard(proxy_hazard::none, 0);
std::pair<proxy_hazard, std::uint64_t> unfenced(std::uint64_t byte) { return {proxy_hazard::unfenced, byte}; }
std::pair<proxy_hazard, std::uint64_t> arriving(std::uint64_t byte) { return {proxy_hazard::arriving, byte}; }

TEST(shared_memory, tells_the_asynchronous_proxy_what_is_not_fenced) {
  bench test;
  test.write(0x100, 12);
  test.write(0x100, 4, memory_user::asynchronous);
  EXPECT_EQ(test.hazard(0x100, memory_user::asynchronous), unfenced(4));
  EXPECT_EQ(test.hazard(0x100, memory_user::warp), no_hazard) << "warps see what warps write";
  test.first.link.change(kind::fence, 0x108, 0x100);
  EXPECT_EQ(test.hazard(0x100, memory_user::asynchronous), unfenced(4)) << "the fence of another CTA";
  EXPECT_EQ(test.hazard(0x108, memory_user::warp), no_hazard);
  test.first.link.change(kind::fence, 0, 0x108);
  EXPECT_EQ(test.hazard(0x100, memory_user::asynchronous), no_hazard);
}

TEST(shared_memory, tells_all_what_a_bulk_copy_still_writes) {
  bench test;
  test.write(0x1f0, 16, memory_user::asynchronous);
  test.first.link.change(kind::arrive, 0x200, 16);
  test.write(0x200, 16, memory_user::asynchronous);
  EXPECT_EQ(test.hazard(0x1fc, memory_user::warp), arriving(4));
  EXPECT_EQ(test.hazard(0x1fc, memory_user::asynchronous), arriving(4));
  test.first.link.change(kind::fence, 0, 4096);
  EXPECT_EQ(test.hazard(0x208, memory_user::asynchronous), arriving(0)) << "a fence is no wait";
  test.first.link.change(kind::settle, 0x200, 16);
  EXPECT_EQ(test.hazard(0x1fc, memory_user::warp), no_hazard);
  EXPECT_EQ(test.hazard(0x1fc, memory_user::asynchronous), no_hazard);
}

TEST(shared_memory, does_not_take_writes_from_elsewhere_for_those_of_warps) {
  bench test;
  test.write(0x10, 8);
  test.write(0x10, 8, memory_user::asynchronous);
  EXPECT_EQ(test.hazard(0x10, memory_user::asynchronous), no_hazard);
  test.write(0x10, 8);
  EXPECT_TRUE(test.first.link.write(memory_user::outside, 0x10, test.data.data(), 8));
  EXPECT_EQ(test.hazard(0x10, memory_user::asynchronous), no_hazard);
}

TEST(shared_memory, takes_changes_as_far_as_the_bytes_exist) {
  bench test;
  test.write(4088, 8);
  test.first.link.change(kind::arrive, 4092, 100);
  test.first.link.change(kind::arrive, 5000, 100);
  EXPECT_EQ(test.hazard(4088, memory_user::warp), arriving(4));
}

/// Three accesses of a stream, whose second one has a conflict inside, beside a warp.
TEST(shared_memory, counts_the_wavefronts_of_a_stream_apart) {
  bench test;
  const auto send = [&test](run_list runs, std::uint64_t number, cycle_t arrival) {
    links::shared_memory_transfer& access = test.make(false, std::move(runs), number, arrival);
    access.user = memory_user::asynchronous;
    access.interval = 1;
    return test.second.send(access).valid;
  };
  EXPECT_EQ(send({{0, 0, 4, 0}}, 1, 2), 4U);
  EXPECT_EQ(send({{0, 0, 4, 0}, {128, 0, 4, 0}}, 2, 4), 8U) << "another word of bank 0";
  test.read(test.first, 0, 4, 1, 0, 20);
  const statistics_of counted(test.memory);
  EXPECT_EQ(counted["wavefronts"], 4U);
  EXPECT_EQ(counted["stream_wavefronts"], 3U);
  EXPECT_EQ(counted["bank_conflicts"], 1U);
  EXPECT_EQ(counted["stream_bank_conflicts"], 1U);
}

TEST(shared_memory, refuses_an_access_of_which_a_byte_does_not_exist) {
  bench test;
  test.data = {7};
  const auto& access = test.first.send(test.make(true, {{0, 0, 4, 0}, {4094, 0, 4, 1}}, 1));
  EXPECT_EQ(access.status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(access.refused, access.runs_begin + 1);
  EXPECT_EQ(statistics_of(test.memory)["writes"], 0U);
  EXPECT_EQ(test.marks(0, 4), "????") << "nothing of it has been written";
}

TEST(shared_memory, is_as_new_after_reset) {
  bench test;
  test.data = {5};
  test.write(0, 512);
  test.read(test.first, 0, 4, 1);
  test.memory.reset();
  const statistics_of counted(test.memory);
  for (const char* name : {"reads", "writes", "wavefronts", "bank_conflicts", "stream_wavefronts", "stream_bank_conflicts", "busy_cycles",
                           "bytes_read", "bytes_written"})
    EXPECT_EQ(counted[name], 0U) << name;
  EXPECT_EQ(test.read(test.first, 0, 1, 1), 3U) << "the banks are free, and no wavefront is open";
  EXPECT_EQ(test.marks(0, 1), "?");
  EXPECT_EQ(test.data[0], 0);
}

TEST(shared_memory, without_data_only_takes_time) {
  bench test(false);
  test.data[0] = 0x77;
  EXPECT_EQ(test.read(test.first, 0, 128), 3U);
  EXPECT_EQ(test.data[0], 0x77);
}

}  // namespace
}  // namespace tc::memory::shared_memory_test
