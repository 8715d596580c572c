// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/fabric/extensions.hpp>
#include <tc/memory/shared_memory.hpp>

#include "memory_bench.hpp"

namespace tc::memory::shared_memory_test {
namespace {

/// 4 KiB, 32 banks, two cycles a wavefront, two links.
struct bench {
  explicit bench(bool data = true) : memory("memory", params(data), clock) {
    first.monitor.initiator.bind(memory.port);
    second.monitor.initiator.bind(memory.port);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  static shared_memory::params params(bool data) {
    shared_memory::params p;
    p.memory.bytes = 4096;
    p.memory.wavefront_cycles = p.memory.warp_wavefront_cycles = 2;
    p.data = data;
    return p;
  }

  /// A read that names its wavefront.
  test::answer read(test::monitored_peer& from, std::uint64_t address, unsigned length, std::uint64_t access, unsigned index,
                    std::uint64_t delay_cycles = 1, bool conflict = false) {
    auto& payload = requests.payload(tlm::TLM_READ_COMMAND, address, length);
    fabric::wavefront& tag = fabric::wavefront::of(payload);
    tag.access = access;
    tag.index = index;
    tag.count = 1;
    tag.interval = 0;
    tag.conflict = conflict;
    const test::answer a = requests.send(from, payload, delay_cycles);
    payload.release();
    return a;
  }

  void announce(test::monitored_peer& from, std::uint64_t access, unsigned count, std::uint64_t delay_cycles) {
    auto& payload = requests.payload(tlm::TLM_IGNORE_COMMAND, 0, 0);
    fabric::wavefront& tag = fabric::wavefront::of(payload);
    tag.access = access;
    tag.count = count;
    tag.interval = 0;
    tag.noted = false;
    EXPECT_EQ(requests.send(from, payload, delay_cycles).status, tlm::TLM_OK_RESPONSE);
    EXPECT_TRUE(tag.noted);
    payload.release();
  }

  void change(fabric::visibility_change::kind what, std::uint64_t base, std::uint64_t bytes) {
    auto& payload = requests.payload(tlm::TLM_IGNORE_COMMAND, 0, 0);
    auto* const extension = new fabric::visibility_change;
    extension->what = what;
    extension->base = base;
    extension->bytes = bytes;
    payload.set_auto_extension(extension);
    EXPECT_EQ(requests.send(first, payload, 1).status, tlm::TLM_OK_RESPONSE);
    payload.release();
  }

  /// What a read of 8 bytes finds through a proxy, and where.
  std::pair<fabric::proxy_hazard, std::uint32_t> hazard(std::uint64_t address, bool asynchronous) {
    auto& payload = requests.payload(tlm::TLM_READ_COMMAND, address, 8);
    const fabric::proxy_access& proxy = fabric::proxy_access::start(payload, asynchronous);
    requests.send(second, payload, 1);
    const std::pair found(proxy.found, proxy.found == fabric::proxy_hazard::none ? 0 : proxy.first);
    payload.release();
    return found;
  }

  void write_asynchronously(std::uint64_t address, unsigned length) {
    auto& payload = requests.payload(tlm::TLM_WRITE_COMMAND, address, length);
    fabric::proxy_access::start(payload, true);
    requests.send(second, payload, 1);
    payload.release();
  }

  fabric::clock_domain clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  test::monitored_peer first{"first"}, second{"second"};
  shared_memory memory;
  test::requester requests;
};

TEST(shared_memory, keeps_what_is_written) {
  bench test;
  test.requests.data = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(test.requests.write(test.first, 0x404, 8).status, tlm::TLM_OK_RESPONSE);
  test.requests.data.fill(0);
  EXPECT_EQ(test.requests.read(test.second, 0x406, 4).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(test.requests.data[0], 3);
  EXPECT_EQ(test.requests.data[3], 6);
}

TEST(shared_memory, serves_one_wavefront_at_a_time_over_all_links) {
  bench test;
  EXPECT_EQ(test.requests.read(test.first, 0, 128).cycles, 3U) << "arrives in cycle 1";
  EXPECT_EQ(test.requests.read(test.second, 0, 128).cycles, 5U);
  EXPECT_EQ(test.requests.read(test.first, 0, 4, 10).cycles, 12U);
}

TEST(shared_memory, needs_a_wavefront_for_each_row_of_banks_a_transaction_covers) {
  bench test;
  EXPECT_EQ(test.requests.read(test.first, 0, 512).cycles, 9U);
  EXPECT_EQ(statistics_of(test.memory)["wavefronts"], 4U);
}

TEST(shared_memory, serves_the_transactions_of_a_wavefront_together) {
  bench test;
  EXPECT_EQ(test.read(test.first, 0, 4, 1, 0).cycles, 3U);
  EXPECT_EQ(test.read(test.first, 132, 4, 1, 0).cycles, 3U) << "bank 1";
  EXPECT_EQ(test.read(test.first, 0, 4, 1, 0).cycles, 3U) << "the same word";
  EXPECT_EQ(test.read(test.first, 128, 4, 1, 1).cycles, 5U) << "the next wavefront";
  EXPECT_EQ(statistics_of(test.memory)["wavefronts"], 2U);
}

TEST(shared_memory, finds_a_bank_conflict_that_a_wavefront_conceals) {
  bench test;
  EXPECT_EQ(test.read(test.first, 0, 4, 1, 0).cycles, 3U);
  EXPECT_EQ(test.read(test.first, 128, 4, 1, 0).cycles, 5U) << "another word of bank 0";
  EXPECT_EQ(statistics_of(test.memory)["bank_conflicts"], 1U);
}

TEST(shared_memory, serves_what_comes_after_its_wavefront_by_itself) {
  bench test;
  EXPECT_EQ(test.read(test.first, 0, 4, 1, 0).cycles, 3U);
  EXPECT_EQ(test.read(test.first, 4, 4, 1, 0, 9).cycles, 11U);
  EXPECT_EQ(statistics_of(test.memory)["bank_conflicts"], 0U);
}

TEST(shared_memory, counts_the_conflicts_that_wavefronts_admit) {
  bench test;
  test.read(test.first, 0, 4, 1, 0);
  test.read(test.first, 128, 4, 1, 1, 1, true);
  EXPECT_EQ(statistics_of(test.memory)["bank_conflicts"], 1U);
  EXPECT_EQ(statistics_of(test.memory)["busy_cycles"], 4U);
}

/// Whoever is called first, the lower link is served first in a cycle.
class arbitration : public testing::TestWithParam<bool> {};

TEST_P(arbitration, does_not_depend_on_the_order_of_calls) {
  bench test;
  test::monitored_peer& caller = GetParam() ? test.second : test.first;
  test::monitored_peer& other = GetParam() ? test.first : test.second;
  test.announce(caller, 1, 2, 5);
  test.announce(other, 1, 2, 5);
  const std::uint64_t caller_end = test.read(caller, 0, 4, 1, 1, 5).cycles;
  const std::uint64_t other_end = test.read(other, 0, 4, 1, 1, 5).cycles;
  EXPECT_EQ(GetParam() ? other_end : caller_end, 9U) << "link 0";
  EXPECT_EQ(GetParam() ? caller_end : other_end, 13U) << "link 1";
}

INSTANTIATE_TEST_SUITE_P(shared_memory, arbitration, testing::Bool());

TEST(shared_memory, prefers_the_earlier_arrival) {
  bench test;
  test.announce(test.first, 1, 1, 6);
  test.announce(test.second, 1, 1, 5);
  EXPECT_EQ(test.read(test.first, 0, 4, 1, 0, 6).cycles, 9U);
  EXPECT_EQ(test.read(test.second, 0, 4, 1, 0, 5).cycles, 7U);
}

TEST(shared_memory, tells_which_bytes_are_undefined) {
  bench test;
  test.requests.write(test.first, 0x10, 2);
  auto& payload = test.requests.payload(tlm::TLM_READ_COMMAND, 0xf, 4);
  fabric::undefined_bytes& undefined = fabric::undefined_bytes::of(payload);
  undefined.any = false;
  test.requests.send(test.first, payload, 1);
  EXPECT_TRUE(undefined.any);
  EXPECT_EQ(undefined.flags, (std::vector<unsigned char>{1, 0, 0, 1}));
  payload.release();
}

TEST(shared_memory, forgets_what_a_former_cta_wrote) {
  bench test;
  test.requests.write(test.first, 0x10, 8);
  EXPECT_TRUE(test.requests.begin_region(test.first, 0x14, 2));
  auto& payload = test.requests.payload(tlm::TLM_READ_COMMAND, 0x10, 8);
  fabric::undefined_bytes& undefined = fabric::undefined_bytes::of(payload);
  undefined.any = false;
  test.requests.send(test.first, payload, 1);
  EXPECT_EQ(undefined.flags, (std::vector<unsigned char>{0, 0, 0, 0, 1, 1, 0, 0}));
  payload.release();
}

TEST(shared_memory, begins_a_region_with_its_content_as_far_as_it_exists) {
  bench test;
  const auto content = [](std::uint64_t, std::uint8_t* to, std::size_t count) { std::fill_n(to, count, std::uint8_t{0x33}); };
  EXPECT_TRUE(test.requests.begin_region(test.first, 4092, 100, content));
  EXPECT_TRUE(test.requests.begin_region(test.first, 5000, 100, content));
  auto& payload = test.requests.payload(tlm::TLM_READ_COMMAND, 4090, 6);
  fabric::undefined_bytes& undefined = fabric::undefined_bytes::of(payload);
  undefined.any = false;
  test.requests.send(test.first, payload, 1);
  EXPECT_EQ(undefined.flags, (std::vector<unsigned char>{1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(test.requests.data[5], 0x33);
  payload.release();
}

TEST(shared_memory, defines_bytes_by_debug_transport_too) {
  bench test;
  test.requests.data[0] = 0x42;
  auto& write = test.requests.payload(tlm::TLM_WRITE_COMMAND, 0x20, 1);
  EXPECT_EQ(test.first.peer.socket->transport_dbg(write), 1U);
  write.release();
  auto& payload = test.requests.payload(tlm::TLM_READ_COMMAND, 0x20, 1);
  fabric::undefined_bytes& undefined = fabric::undefined_bytes::of(payload);
  undefined.any = false;
  test.requests.send(test.first, payload, 1);
  EXPECT_FALSE(undefined.any);
  EXPECT_EQ(test.requests.data[0], 0x42);
  payload.release();
}

using fabric::proxy_hazard;
using change_kind = fabric::visibility_change::kind;
constexpr std::pair no_hazard(proxy_hazard::none, 0U);

TEST(shared_memory, tells_the_asynchronous_proxy_what_is_not_fenced) {
  bench test;
  test.requests.write(test.first, 0x104, 8);
  EXPECT_EQ(test.hazard(0x100, true), std::pair(proxy_hazard::unfenced, 4U));
  EXPECT_EQ(test.hazard(0x100, false), no_hazard) << "warps see what warps write";
  test.change(change_kind::fenced, 0x108, 0x100);
  EXPECT_EQ(test.hazard(0x100, true), std::pair(proxy_hazard::unfenced, 4U)) << "the fence of another CTA";
  EXPECT_EQ(test.hazard(0x108, true), no_hazard);
  test.change(change_kind::fenced, 0, 0x108);
  EXPECT_EQ(test.hazard(0x100, true), no_hazard);
}

TEST(shared_memory, tells_everybody_what_a_bulk_copy_still_writes) {
  bench test;
  test.change(change_kind::arriving, 0x200, 16);
  test.write_asynchronously(0x200, 16);
  EXPECT_EQ(test.hazard(0x1fc, false), std::pair(proxy_hazard::arriving, 4U));
  EXPECT_EQ(test.hazard(0x1fc, true), std::pair(proxy_hazard::arriving, 4U));
  test.change(change_kind::fenced, 0, 4096);
  EXPECT_EQ(test.hazard(0x208, true), std::pair(proxy_hazard::arriving, 0U)) << "a fence is no wait";
  test.change(change_kind::settled, 0x200, 16);
  EXPECT_EQ(test.hazard(0x1fc, false), no_hazard);
  EXPECT_EQ(test.hazard(0x1fc, true), no_hazard);
}

TEST(shared_memory, does_not_take_writes_from_elsewhere_for_those_of_warps) {
  bench test;
  test.requests.write(test.first, 0x10, 8);
  test.write_asynchronously(0x10, 8);
  EXPECT_EQ(test.hazard(0x10, true), no_hazard);
  test.requests.write(test.first, 0x10, 8);
  auto& image = test.requests.payload(tlm::TLM_WRITE_COMMAND, 0x10, 8);
  EXPECT_EQ(test.first.peer.socket->transport_dbg(image), 8U);
  image.release();
  EXPECT_EQ(test.hazard(0x10, true), no_hazard);
}

TEST(shared_memory, takes_changes_of_visibility_as_far_as_the_bytes_exist) {
  bench test;
  test.change(change_kind::arriving, 4092, 100);
  test.change(change_kind::arriving, 5000, 100);
  EXPECT_EQ(test.hazard(4088, false), std::pair(proxy_hazard::arriving, 4U));
}

/// A stream of three wavefronts, whose second one has a conflict inside, beside a warp.
TEST(shared_memory, counts_the_wavefronts_of_a_stream_apart) {
  bench test;
  const auto send = [&test](tlm::tlm_command command, std::uint64_t address, unsigned index, std::uint64_t delay_cycles) {
    auto& payload = test.requests.payload(command, address, command == tlm::TLM_IGNORE_COMMAND ? 0 : 4);
    fabric::wavefront& tag = fabric::wavefront::of(payload);
    tag.access = 1;
    tag.index = index;
    tag.count = 3;
    tag.interval = 2;
    tag.conflict = false;
    const std::uint64_t end = test.requests.send(test.second, payload, delay_cycles).cycles;
    payload.release();
    return end;
  };
  send(tlm::TLM_IGNORE_COMMAND, 0, 0, 2);
  EXPECT_EQ(send(tlm::TLM_READ_COMMAND, 0, 0, 2), 4U);
  EXPECT_EQ(send(tlm::TLM_READ_COMMAND, 0, 1, 4), 6U);
  EXPECT_EQ(send(tlm::TLM_READ_COMMAND, 128, 1, 4), 8U) << "another word of bank 0";
  test.read(test.first, 0, 4, 1, 0, 20);
  const statistics_of counted(test.memory);
  EXPECT_EQ(counted["wavefronts"], 4U);
  EXPECT_EQ(counted["stream_wavefronts"], 3U);
  EXPECT_EQ(counted["bank_conflicts"], 1U);
  EXPECT_EQ(counted["stream_bank_conflicts"], 1U);
}

/// A memory that is accessed by transactions, and one that gets the same accesses of a stream without them.
struct two_memories {
  two_memories() {
    first.monitor.initiator.bind(by_transactions.port);
    second.monitor.initiator.bind(directly.port);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  template <class Use>
  void for_both(const Use& use) {
    use(first);
    use(second);
  }

  /// Runs of a wavefront with random data; both memories must say the same. `runs` have no data yet.
  void expect_same(bool is_write, std::vector<fabric::stream_access::byte_run> runs, std::uint64_t access, std::uint64_t delay_cycles) {
    std::array<unsigned char, 1024> data{};
    std::generate(data.begin(), data.end(), [this] { return static_cast<unsigned char>(random()); });
    unsigned char* next = data.data();
    for (auto& run : runs) next = (run.data = next) + run.bytes;
    fabric::wavefront tag;
    tag.access = access;
    tag.index = 0;
    tag.interval = 1;
    const std::array<unsigned char, 1024> given = data;
    const auto answer = directly.access({0, is_write, runs.data(), runs.data() + runs.size(), &tag, delay_cycles});
    ASSERT_TRUE(answer);
    fabric::stream_access::answer wanted;
    for (const auto& run : runs) send(is_write, run, given.data() + (run.data - data.data()), tag, delay_cycles, wanted);
    EXPECT_EQ(answer->valid, wanted.valid);
    EXPECT_EQ(answer->hazard, wanted.hazard);
    EXPECT_EQ(answer->any_undefined, wanted.any_undefined);
    if (wanted.hazard != fabric::proxy_hazard::none) {
      EXPECT_EQ(answer->first_hazard, wanted.first_hazard);
    }
    if (wanted.any_undefined) {
      EXPECT_EQ(answer->first_undefined, wanted.first_undefined);
    }
  }

  /// A run as a transaction; adds to what is to be known of all runs. What is read must be what the run has.
  void send(bool is_write, const fabric::stream_access::byte_run& run, const unsigned char* given, const fabric::wavefront& tag,
            std::uint64_t delay_cycles, fabric::stream_access::answer& all) {
    std::copy_n(given, run.bytes, requests.data.begin());
    auto& payload = requests.payload(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, run.address, run.bytes);
    fabric::wavefront& part = fabric::wavefront::of(payload);
    part.access = tag.access;
    part.index = tag.index;
    part.interval = tag.interval;
    const fabric::proxy_access& proxy = fabric::proxy_access::start(payload, true);
    fabric::undefined_bytes& undefined = fabric::undefined_bytes::of(payload);
    undefined.any = false;
    all.valid = std::max<std::uint64_t>(all.valid, requests.send(first, payload, delay_cycles).cycles);
    EXPECT_TRUE(std::equal(run.data, run.data + run.bytes, requests.data.begin()));
    if (proxy.found != fabric::proxy_hazard::none && all.hazard == fabric::proxy_hazard::none) {
      all.hazard = proxy.found;
      all.first_hazard = run.address + proxy.first;
    }
    if (undefined.any && !std::exchange(all.any_undefined, true)) {
      const auto first_flag = std::find(undefined.flags.begin(), undefined.flags.end(), 1);
      all.first_undefined = run.address + static_cast<std::uint64_t>(first_flag - undefined.flags.begin());
    }
    payload.release();
  }

  fabric::clock_domain clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  test::monitored_peer first{"first"}, second{"second"};
  shared_memory by_transactions{"by_transactions", bench::params(true), clock}, directly{"directly", bench::params(true), clock};
  test::requester requests;
  std::mt19937 random{1};
};

TEST(shared_memory, serves_a_stream_without_transactions_as_it_serves_transactions) {
  two_memories test;
  const auto below = [&test](unsigned limit) { return static_cast<unsigned>(test.random() % limit); };
  std::uint64_t access = 1;
  for (unsigned i = 0; i < 400; ++i) {
    const std::uint64_t address = 16 * below(64);
    if (below(4) == 0) test.for_both([&](auto& peer) { test.requests.write(peer, address, 48, 1 + i / 40); });
    access += below(2);
    std::vector<fabric::stream_access::byte_run> runs{{address, 16 * (1 + below(10))}};
    while (below(3) != 0 && runs.size() < 5) runs.push_back({std::uint64_t{16} * below(64), 16 * (1 + below(2))});
    test.expect_same(below(3) == 0, runs, access, 1 + i / 40);
    if (testing::Test::HasFailure()) return;
  }
  for (const char* const count :
       {"reads", "writes", "wavefronts", "bank_conflicts", "stream_wavefronts", "stream_bank_conflicts", "bytes_read", "bytes_written"})
    EXPECT_EQ(statistics_of(test.directly)[count], statistics_of(test.by_transactions)[count]) << count;
  const std::array<fabric::stream_access::byte_run, 2> outside{{{0, 16}, {4090, 16}}};
  EXPECT_FALSE(test.directly.access({0, false, outside.data(), outside.data() + outside.size(), nullptr, 1}));
}

TEST(shared_memory, obeys_byte_enables) {
  bench test;
  const std::array<unsigned char, 2> enables{TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
  auto& write = test.requests.payload(tlm::TLM_WRITE_COMMAND, 0, 2);
  write.set_byte_enable_ptr(const_cast<unsigned char*>(enables.data()));
  write.set_byte_enable_length(2);
  test.requests.send(test.first, write, 1);
  write.release();
  auto& payload = test.requests.payload(tlm::TLM_READ_COMMAND, 0, 2);
  fabric::undefined_bytes& undefined = fabric::undefined_bytes::of(payload);
  undefined.any = false;
  test.requests.send(test.first, payload, 1);
  EXPECT_EQ(undefined.flags, (std::vector<unsigned char>{1, 0}));
  payload.release();
}

TEST(shared_memory, answers_with_an_error_outside) {
  bench test;
  EXPECT_EQ(test.requests.read(test.first, 4094, 4).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(statistics_of(test.memory)["reads"], 0U);
}

TEST(shared_memory, is_as_new_after_reset) {
  bench test;
  test.requests.data = {5};
  test.requests.write(test.first, 0, 512);
  test.read(test.first, 0, 4, 1, 0, 1, true);
  test.memory.reset();
  const statistics_of counted(test.memory);
  for (const char* name : {"reads", "writes", "wavefronts", "bank_conflicts", "stream_wavefronts", "stream_bank_conflicts", "busy_cycles",
                           "bytes_read", "bytes_written"})
    EXPECT_EQ(counted[name], 0U) << name;
  auto& payload = test.requests.payload(tlm::TLM_READ_COMMAND, 0, 1);
  fabric::undefined_bytes& undefined = fabric::undefined_bytes::of(payload);
  undefined.any = false;
  fabric::wavefront::of(payload).access = 1;
  EXPECT_EQ(test.requests.send(test.first, payload, 1).cycles, 3U) << "the banks are free, and no wavefront is open";
  EXPECT_TRUE(undefined.any);
  EXPECT_EQ(test.requests.data[0], 0);
  payload.release();
}

TEST(shared_memory, without_data_only_takes_time) {
  bench test(false);
  test.requests.data[0] = 0x77;
  EXPECT_EQ(test.requests.read(test.first, 0, 128).cycles, 3U);
  EXPECT_EQ(test.requests.data[0], 0x77);
}

}  // namespace
}  // namespace tc::memory::shared_memory_test
