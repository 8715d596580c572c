#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/reports.hpp>
#include <tc/platform/bus_interface.hpp>

#include "bus_bench.hpp"

namespace tc::platform::test {
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

bus_parameters loose(const sc_time& quantum) {
  bus_parameters p;
  p.mode = timing::loose;
  p.quantum = quantum;
  return p;
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

/// Random requests of several units, each on bytes of its own, in every mode against the worst memory.
class random_traffic : public testing::TestWithParam<std::tuple<std::string, unsigned>> {
 public:
  static bus_parameters parameters() {
    const std::string mode = std::get<0>(GetParam());
    bus_parameters p;
    if (mode == "loose") p = loose(sc_core::SC_ZERO_TIME);
    if (mode == "decoupled") p = loose(ns(40));
    p.sockets = 2;
    p.interleave_bytes = 64;
    p.burst_bytes = 32;
    p.outstanding = 3;
    return p;
  }
};

TEST_P(random_traffic, keeps_the_order_of_accesses_that_depend_on_each_other) {
  const unsigned seed = std::get<1>(GetParam());
  std::mt19937 random(seed);
  const auto pick = [&random](unsigned count) { return static_cast<unsigned>(random() % count); };
  random_memory::params worst;
  worst.seed = seed;
  worst.direct = true;
  constexpr unsigned units = 3, requests = 400;
  bus_bench bench(units, parameters(), worst);
  std::vector<std::vector<bytes>> expected(units);
  std::vector<bytes> content(units, bytes(300));
  for (unsigned n = 0; n < requests; ++n) {
    const unsigned u = pick(units), first = pick(200), count = 1 + pick(100);
    const auto begin = content[u].begin() + first, end = begin + count;
    if (pick(2) == 0) {
      std::generate(begin, end, [&] { return static_cast<unsigned char>(pick(256)); });
      bench.unit[u].write(0x1000 * u + first, bytes(begin, end), ns(pick(3)));
    } else {
      bench.unit[u].read(0x1000 * u + first, count, ns(pick(3)));
    }
    expected[u].emplace_back(begin, end);
    if (pick(4) == 0) sc_core::sc_start(ns(1 + pick(60)));
  }
  bench.run();
  for (unsigned u = 0; u < units; ++u) {
    EXPECT_EQ(bench.unit[u].answers.size(), expected[u].size());
    for (const machine_unit::answer& answer : bench.unit[u].answers) {
      EXPECT_EQ(answer.status, tlm::TLM_OK_RESPONSE);
      ASSERT_EQ(answer.data, expected[u][answer.number]) << "request " << answer.number << " of unit " << u;
    }
    for (unsigned i = 0; i < content[u].size(); ++i) ASSERT_EQ(bench.memory.at(0x1000 * u + i), content[u][i]) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(bus_interface, random_traffic,
                         testing::Combine(testing::Values("approximate", "loose", "decoupled"), testing::Values(1U, 2U, 3U)),
                         [](const auto& test) { return std::get<0>(test.param) + std::to_string(std::get<1>(test.param)); });

}  // namespace
}  // namespace tc::platform::test
