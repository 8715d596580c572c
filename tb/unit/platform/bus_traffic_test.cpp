// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <systemc>

#include <gtest/gtest.h>

#include <tc/platform/bus_interface.hpp>

#include "bus_bench.hpp"

namespace tc::platform::test::bus_traffic_test {
namespace {

using stand_ins::random_memory;
using bytes = std::vector<unsigned char>;

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
  expect_limit();
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
}  // namespace tc::platform::test::bus_traffic_test
