// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn; must precede the first SystemC header
#include "hostile_initiator.hpp"

#include <cstring>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/completing_target.hpp>
#include <tc/memory/global_memory.hpp>
#include <tc/platform/bus_interface.hpp>
#include <tc/tmem/tensor_memory.hpp>

#include "bus_bench.hpp"
#include "stand_ins/random_memory.hpp"

// Every class of target of the library against an initiator that keeps to no rule: it answers or reports, and goes on working.

namespace tc::platform::test::hostile_initiator_test {
namespace {

using modules = std::vector<std::unique_ptr<sc_core::sc_module>>;

constexpr sc_dt::uint64 bytes = 4096;

/// The smallest owner of a completing_target.
class plain_registers final : public sc_core::sc_module {
 public:
  explicit plain_registers(const sc_core::sc_module_name& module_name) : sc_module(module_name) {}

  fabric::completing_target port{"port", rules(),
                                 [this](auto& payload, const auto& delay) {
                                   move(payload);
                                   return delay;
                                 },
                                 [this](auto& payload) { return move(payload); }};

 private:
  static fabric::access_rules rules() {
    fabric::access_rules rules;
    rules.size_bytes = bytes;
    return rules;
  }
  unsigned move(tlm::tlm_generic_payload& payload) {
    unsigned char* const at = content_.data() + payload.get_address();
    if (payload.is_write()) std::memcpy(at, payload.get_data_ptr(), payload.get_data_length());
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), at, payload.get_data_length());
    return payload.get_data_length();
  }
  std::vector<unsigned char> content_ = std::vector<unsigned char>(bytes);
};

template <class Module, class... Arguments>
Module& make(modules& all, Arguments&&... arguments) {
  auto made = std::make_unique<Module>("target", std::forward<Arguments>(arguments)...);
  Module& module = *made;
  all.push_back(std::move(made));
  return module;
}

void bind_bus(hostile_initiator& from, fabric::clock_domain& clock, modules& all, timing mode) {
  bus_parameters parameters;
  parameters.mode = mode;
  parameters.outstanding = 4;
  expect_limit();
  parameters.burst_bytes = 64;
  auto& target = make<bus_interface>(all, parameters, clock);
  stand_ins::random_memory::params p;
  p.direct = true;
  auto memory = std::make_unique<stand_ins::random_memory>("memory", p);
  target.bus[0].bind(memory->port[0].socket);
  all.push_back(std::move(memory));
  from.socket.bind(target.port);
}

/// A target to attack.
struct target_case {
  const char* name;
  unsigned word_bytes;
  void (*bind)(hostile_initiator& from, fabric::clock_domain& clock, modules& all);
};
std::ostream& operator<<(std::ostream& out, const target_case& test) { return out << test.name; }

const std::vector<target_case> targets{
    {"completing_target", 4, [](auto& from, auto&, auto& all) { from.socket.bind(make<plain_registers>(all).port); }},
    {"global_memory", 4,
     [](auto& from, auto& clock, auto& all) {
       auto& target = make<memory::global_memory>(all, memory::global_memory::params{}, clock);
       target.add_region(0, bytes);
       from.socket.bind(target.port);
     }},
    {"global_memory_with_caches", 4,
     [](auto& from, auto& clock, auto& all) {
       memory::global_memory::params p;
       p.memory.hierarchy.enabled = true;
       auto& target = make<memory::global_memory>(all, p, clock);
       target.add_region(0, bytes);
       from.socket.bind(target.port);
     }},
    {"tensor_memory", 4,
     [](auto& from, auto& clock, auto& all) {
       tmem::tensor_memory::params p;
       p.memory.columns = 512;
       from.socket.bind(make<tmem::tensor_memory>(all, p, clock).engine[0]);
     }},
    {"tensor_chunk", 4,
     [](auto& from, auto& clock, auto& all) {
       tmem::tensor_memory::params p;
       p.memory.columns = 512;
       from.socket.bind(make<tmem::tensor_memory>(all, p, clock).chunks[0].access);
     }},
    {"bus_interface", 4, [](auto& from, auto& clock, auto& all) { bind_bus(from, clock, all, timing::approximate); }},
    {"loose_bus_interface", 4, [](auto& from, auto& clock, auto& all) { bind_bus(from, clock, all, timing::loose); }},
};

class hostile : public testing::TestWithParam<std::tuple<target_case, unsigned>> {};

TEST_P(hostile, initiator_is_survived) {
  const auto& [target, seed] = GetParam();
  fabric::clock_domain clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  hostile_initiator initiator("initiator", {seed, bytes, target.word_bytes});
  modules all;
  target.bind(initiator, clock, all);
  unsigned rounds = 0;
  sc_core::sc_spawn([&] {
    for (; rounds < 40; ++rounds) {
      initiator.attack(50);
      EXPECT_TRUE(initiator.works()) << "round " << rounds;
    }
    EXPECT_TRUE(initiator.settle()) << initiator.outstanding << " requests are not answered";
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rounds, 40U);
  EXPECT_GT(initiator.reports, 0U) << "phases out of order";
}

INSTANTIATE_TEST_SUITE_P(to, hostile, testing::Combine(testing::ValuesIn(targets), testing::Values(1U, 2U, 3U)), [](const auto& test) {
  return std::get<0>(test.param).name + std::string("_") + std::to_string(std::get<1>(test.param));
});

}  // namespace
}  // namespace tc::platform::test::hostile_initiator_test
