// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/access_rules.hpp>
#include <tc/fabric/completing_target.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/host/host_session.hpp>
#include <tc/host/hosted_device.hpp>
#include <tc/host/tcsim.h>
#include <tc/platform/bus_interface.hpp>
#include <tc/platform/tcsim_device.h>

#include "bus_bench.hpp"
#include "statistics_of.hpp"

// How many transactions may be on their way, and what is said when that makes the machine wait.

namespace tc::platform::test::outstanding_test {
namespace {

std::vector<std::string>& warnings() {
  static std::vector<std::string> all;
  return all;
}

/// Warnings of the limit are kept; others fail.
void keep_warnings() {
  sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() == sc_core::SC_WARNING) {
      EXPECT_STREQ(report.get_msg_type(), fabric::report::bus_outstanding);
      warnings().emplace_back(report.get_msg());
    } else {
      sc_core::sc_report_handler::default_handler(report, actions);
    }
  });
}

/// A memory that takes any number of requests, each of which it answers after 500 ns.
struct ideal_memory final : sc_core::sc_module {
  explicit ideal_memory(const sc_core::sc_module_name& name) : sc_module(name) {}

  fabric::completing_target port{"port", fabric::access_rules::whole_address_space(),
                                 [](auto&, const auto& delay) { return delay + ns(500); }, [](auto&) { return 0; }};
};

bus_parameters limited_to(const std::optional<unsigned>& outstanding) {
  bus_parameters parameters;
  parameters.outstanding = outstanding;
  return parameters;
}

/// A unit that reads lines of it at the same time.
struct asking_unit {
  asking_unit(const std::optional<unsigned>& outstanding, unsigned reads) : bus("bus", limited_to(outstanding), clock) {
    unit.memory.bind(bus.port);
    bus.bus[0].bind(memory.port);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (unsigned i = 0; i < reads; ++i) unit.read(128 * i, 4);
    sc_core::sc_start();
  }

  fabric::clock_domain clock{"clock", ns(1)};
  machine_unit unit{"unit"};
  bus_interface bus;
  ideal_memory memory{"memory"};
};

TEST(outstanding, is_as_many_as_the_machine_has) {
  asking_unit of(std::nullopt, 3000);
  ASSERT_EQ(of.unit.answers.size(), 3000u);
  for (const auto& answer : of.unit.answers) EXPECT_EQ(answer.valid, ns(500));
  auto statistics = statistics_of(of.bus);
  EXPECT_EQ(statistics["most_outstanding"], 3000u);
  EXPECT_EQ(statistics["limited_requests"], 0u);
  EXPECT_EQ(statistics["wait_cycles"], 0u);
}

TEST(outstanding, is_told_once_with_its_figure_when_it_limits) {
  keep_warnings();
  asking_unit of(10U, 40);
  ASSERT_EQ(of.unit.answers.size(), 40u);
  EXPECT_EQ(of.unit.answers.back().valid, ns(4 * 500));
  ASSERT_EQ(warnings().size(), 1u);
  EXPECT_NE(warnings()[0].find("bus.bus_0 has 10 transactions on their way"), std::string::npos) << warnings()[0];
  auto statistics = statistics_of(of.bus);
  EXPECT_EQ(statistics["most_outstanding"], 10u);
  EXPECT_EQ(statistics["limited_requests"], 3u) << "a link has one that waits at a time";
  EXPECT_EQ(statistics["limited_cycles"], 3u * 500);
}

TEST(outstanding, that_is_enough_is_not_told) {
  asking_unit of(40U, 40);
  EXPECT_EQ(of.unit.answers.back().valid, ns(500));
  EXPECT_EQ(statistics_of(of.bus)["limited_requests"], 0u);
}

/// A device of the C functions, with as many accesses to its memory at a time as it may have.
host::hosted_device& device_of_c(const std::string& name, std::uint32_t outstanding) {
  tcsim_options options{};
  options.size = sizeof options;
  options.memory_latency_ps = 200000;
  options.outstanding = outstanding;
  return host::host_session::instance().create(name, "hopper", {"sms=1"}, options);
}

/// `cycles` becomes those of a product.
void submit_product(host::hosted_device& device, std::uint64_t& cycles) {
  host::hosted_device::callbacks callbacks = device.all_callbacks();
  callbacks.done = [&cycles](const command_result& result) { cycles = result.record.cycles; };
  device.set_callbacks(callbacks);
  tcsim_gemm gemm;
  std::memset(&gemm, 0, sizeof gemm);
  gemm.opcode = TCSIM_OPCODE_GEMM;
  gemm.m = gemm.n = gemm.k = 64;
  gemm.precision = TCSIM_PRECISION_MIXED;
  gemm.a = 0x100000;
  gemm.b = 0x200000;
  gemm.d = 0x300000;
  std::array<std::uint8_t, sizeof gemm> descriptor;
  std::memcpy(descriptor.data(), &gemm, sizeof gemm);
  EXPECT_TRUE(device.memory().write(0, descriptor.data(), descriptor.size()));
  EXPECT_TRUE(device.write_register(TCSIM_REG_RING_ENTRIES, 2));
  EXPECT_TRUE(device.write_register(TCSIM_REG_CONTROL, TCSIM_CONTROL_ENABLE));
  EXPECT_TRUE(device.write_register(TCSIM_REG_TAIL, 1));
}

TEST(outstanding, is_an_option_of_the_c_functions) {
  host::host_session& session = host::host_session::instance();
  const std::array<host::hosted_device*, 3> devices{&device_of_c("unlimited", 0), &device_of_c("limited", 4), &device_of_c("wide", 100000)};
  keep_warnings();
  session.begin();
  std::array<std::uint64_t, 3> cycles{};
  for (std::size_t i = 0; i < devices.size(); ++i) submit_product(*devices[i], cycles[i]);
  session.advance(1000000000);
  EXPECT_GT(cycles[0], 0u);
  EXPECT_EQ(cycles[0], cycles[2]) << "without a limit, as with one that nothing reaches";
  EXPECT_GT(cycles[1], 10 * cycles[0]);
  ASSERT_EQ(warnings().size(), 1u);
  EXPECT_NE(warnings()[0].find("limited.device.memory.bus_0 has 4 transactions"), std::string::npos) << warnings()[0];
}

}  // namespace
}  // namespace tc::platform::test::outstanding_test
