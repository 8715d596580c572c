// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <tc/fabric/direct_link.hpp>

#include "load_store_bench.hpp"
#include "statistics_map.hpp"

namespace tc::subcore::test::load_store_direct_test {
namespace {

constexpr unsigned units = 2, warps = 3;
constexpr unsigned shared_bytes = 4096, global_bytes = 4096;
constexpr std::uint64_t global_base = 0x10000;
constexpr cycle_t issue_to_dispatch = load_store_bench::issue_to_dispatch;

struct station_options {
  bool data = true;
  unsigned banks = 32;   ///< of shared memory
  bool caches = false;   ///< global memory has them
  bool watched = false;  ///< there are monitors on the links to the memories
};

/// Two load-store units at a shared and a global memory: with monitors on their links, or bound to them and left alone.
class memory_station final : public sc_core::sc_module {
 public:
  using view = tlm_utils::simple_initiator_socket<memory_station>;

  sc_core::sc_vector<load_store_unit> unit{"unit"};
  sc_core::sc_vector<load_store_peer> peer{"peer"};
  memory::shared_memory shared;
  memory::global_memory global;
  view shared_view{"shared_view"}, global_view{"global_view"};

  memory_station(const sc_core::sc_module_name& name, fabric::clock_domain& clock, const station_options& options)
      : sc_module(name), shared("shared", shared_params(options), clock), global("global", global_params(options), clock) {
    load_store_unit::params parameters;
    parameters.data = options.data;
    parameters.shared_memory = shared_params(options).memory;
    parameters.global_memory = global_params(options).memory;
    unit.init(units, [&](const char* child, std::size_t) { return new load_store_unit(child, parameters, clock); });
    peer.init(units, [&](const char* child, std::size_t) { return new load_store_peer(child, clock); });
    for (unsigned u = 0; u < units; ++u) bind(u, options.watched);
    shared_view.bind(shared.port);
    global_view.bind(global.port);
    global.add_region(global_base, global_bytes);
  }

  void send(unsigned u, links::warp_instruction& instruction) { peer[u].send(instruction, tlm::BEGIN_REQ); }
  bool has_room(const isa::instruction& code, cycle_t dispatch) const {
    return std::all_of(unit.begin(), unit.end(),
                       [&](const auto& each) { return each.earliest_dispatch(code, dispatch).cycle == dispatch; });
  }

  static std::vector<unsigned char> content(view& memory, std::uint64_t base, unsigned count) {
    std::vector<unsigned char> bytes(count);
    tlm::tlm_generic_payload payload;
    fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, base, bytes.data(), count);
    const unsigned told = memory->transport_dbg(payload);
    sc_assert(told == count);
    return bytes;
  }

 private:
  static memory::shared_memory::params shared_params(const station_options& options) {
    memory::shared_memory::params parameters;
    parameters.memory.bytes = shared_bytes;
    parameters.memory.banks = options.banks;
    parameters.data = options.data;
    return parameters;
  }
  static memory::global_memory::params global_params(const station_options& options) {
    memory::global_memory::params parameters;
    parameters.memory.hierarchy.enabled = options.caches;
    parameters.memory.hierarchy.l1 = {2048, 2, 128, 32};
    parameters.memory.hierarchy.l2 = {4096, 2, 128, 32};
    parameters.data = options.data;
    return parameters;
  }

  void bind(unsigned u, bool watched) {
    peer[u].dispatch.bind(unit[u].dispatch);
    unit[u].result.bind(peer[u].result);
    bind(unit[u].shared, shared.port, watched);
    bind(unit[u].global, global.port, watched);
  }
  void bind(fabric::base_protocol_initiator& from, memory::memory_target& to, bool watched) {
    if (!watched) return from.bind(to);
    monitors_.push_back(std::make_unique<fabric::base_protocol_monitor<>>(("monitor_" + std::to_string(monitors_.size())).c_str()));
    from.bind(monitors_.back()->target);
    monitors_.back()->initiator.bind(to);
  }

  void end_of_elaboration() override {
    for (load_store_unit& each : unit) {
      if (const auto link = fabric::direct_link(each.shared, shared.port)) each.reach_directly(shared, *link);
      if (const auto link = fabric::direct_link(each.global, global.port)) each.reach_directly(global, *link);
    }
  }

  std::vector<std::unique_ptr<fabric::base_protocol_monitor<>>> monitors_;
};

/// Random accesses, each made for two stations.
class random_accesses {
 public:
  explicit random_accesses(const fabric::clock_domain& clock) : clock_(clock) {
    for (const char* text : {"LDS R0, [R2]",
                             "LDS.U8 R0, [R2]",
                             "LDS.S16 R0, [R2]",
                             "LDS.64 R0, [R2]",
                             "LDS.128 R0, [R2]",
                             "STS [R2], R4",
                             "STS.U8 [R2], R4",
                             "STS.64 [R2], R4",
                             "STS.128 [R2], R4",
                             "LDSM.16.M88.4 R0, [R2]",
                             "LDSM.16.MT88.2 R0, [R2]",
                             "ATOMS.ADD R0, [R2], R4",
                             "LDG.E R0, [R2]",
                             "LDG.E.U8 R0, [R2]",
                             "LDG.E.64 R0, [R2]",
                             "LDG.E.128 R0, [R2]",
                             "LDG.E.128.STRONG.GPU R0, [R2]",
                             "STG.E [R2], R4",
                             "STG.E.64 [R2], R4",
                             "STG.E.128 [R2], R4"})
      codes_.push_back(isa::parse_operation(text, isa::architecture::sm_90));
    for (unsigned w = 0; w < warps; ++w) {
      warps_[w].slot = w;
      warps_[w].shared_base = 1024 * w;
      warps_[w].shared_bytes = 2048;
    }
  }

  struct pair {
    links::warp_instruction *one, *other;
  };

  /// An instruction that is about to be sent, for two stations.
  pair make() {
    const links::warp_instruction& one = make_one();
    links::warp_instruction& other = made_.emplace_back();
    other.step = one.step;
    other.warp = one.warp;
    other.issued = one.issued;
    other.dispatch = one.dispatch;
    other.sources = one.sources;
    for (unsigned r = 0; r < one.sources[1].count; ++r) other.room_for_operand(1, r) = one.operand(1, r);
    other.result_registers = one.result_registers;
    return {&made_[made_.size() - 2], &other};
  }

  unsigned number(unsigned values) { return static_cast<unsigned>(random_() % values); }

 private:
  links::warp_instruction& make_one() {
    made_.emplace_back();
    links::warp_instruction& instruction = made_.back();
    instruction.step.code = &codes_[number(static_cast<unsigned>(codes_.size()))];
    instruction.step.mask = number(2) == 0 ? 0xffffffff : 1 + number(0xffffffff);
    instruction.warp = &warps_[number(warps)];
    instruction.issued = clock_.cycle();
    instruction.dispatch = instruction.issued + issue_to_dispatch;
    set_addresses(instruction);
    for (unsigned r = 0; r < 4; ++r) load_store_bench::set_source(instruction, 1, r, [&](unsigned) { return number(0xffffffff); });
    for (warp::lane_vector& result : instruction.result_registers) result = {};
    return instruction;
  }

  /// In strides, at random, or in a stride that is not a multiple of the element.
  void set_addresses(links::warp_instruction& instruction) {
    const isa::instruction& code = instruction.code();
    const unsigned bytes = code.op == isa::opcode::ldsm ? 16 : code.mods.access_bits / 8U, first = number(16), kind = number(8);
    const unsigned stride = kind == 0 ? bytes + 1 : bytes * number(3);
    const std::uint64_t base = operation_of(code.op).space == memory_space::global ? global_base : 0;
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
      instruction.step.addresses[lane] = base + (kind == 1 ? bytes * number(1024 / bytes) : bytes * first + stride * lane);
  }

  const fabric::clock_domain& clock_;
  std::mt19937 random_{7};
  std::deque<isa::instruction> codes_;
  std::array<warp::warp_context, warps> warps_;
  std::deque<links::warp_instruction> made_;
};

/// With data and without, with caches and without, with a shared memory that is as wide as a warp or narrower than an element.
class direct_link : public testing::TestWithParam<std::tuple<bool, bool, unsigned>> {};

TEST_P(direct_link, to_memories_does_what_transactions_do) {
  const auto [data, caches, banks] = GetParam();
  fabric::clock_domain clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  memory_station alone("alone", clock, {data, banks, caches, false}), watched("watched", clock, {data, banks, caches, true});
  random_accesses accesses(clock);
  const auto wait = [&](cycle_t cycles) { sc_core::sc_start(clock.time_of(cycles)); };
  wait(1);
  std::vector<random_accesses::pair> sent;
  for (unsigned i = 0; i < 200; ++i) {
    std::vector<random_accesses::pair> now;
    for (unsigned u = 0; u < units; ++u) now.push_back(accesses.make());
    for (unsigned u = 0; u < units; ++u) {
      alone.send(u, *now[u].one);
      watched.send(u, *now[u].other);
    }
    wait(issue_to_dispatch);
    for (unsigned u = 0; u < units; ++u) {
      alone.peer[u].send(*now[u].one, links::OPERANDS_READY);
      watched.peer[u].send(*now[u].other, links::OPERANDS_READY);
    }
    sent.insert(sent.end(), now.begin(), now.end());
    do {
      wait(1 + accesses.number(8));
    } while (!alone.has_room(now[0].one->code(), clock.cycle() + issue_to_dispatch));
  }
  wait(20000);
  for (std::size_t i = 0; i < sent.size(); ++i) {
    SCOPED_TRACE(std::to_string(i) + ": " + sent[i].one->code().text);
    ASSERT_NE(sent[i].one->result, 0U);
    ASSERT_EQ(sent[i].one->result, sent[i].other->result);
    EXPECT_EQ(sent[i].one->result_registers, sent[i].other->result_registers);
    EXPECT_EQ(sent[i].one->undefined_lanes, sent[i].other->undefined_lanes);
  }
  EXPECT_EQ(alone.content(alone.shared_view, 0, shared_bytes), watched.content(watched.shared_view, 0, shared_bytes));
  EXPECT_EQ(alone.content(alone.global_view, global_base, global_bytes), watched.content(watched.global_view, global_base, global_bytes));
  const statistics_map counted;
  for (const std::string module : {"shared.", "global.", "unit_0.", "unit_1."})
    EXPECT_EQ(counters_below("alone." + module, counted), counters_below("watched." + module, counted));
  EXPECT_GT(counted.at("alone.shared.bank_conflicts"), 0U);
  EXPECT_GT(counted.at(caches ? "alone.global.l1_hits" : "alone.global.bytes_read"), 0U);
}

INSTANTIATE_TEST_SUITE_P(load_store_unit, direct_link, testing::Combine(testing::Bool(), testing::Bool(), testing::Values(2, 32)));

}  // namespace
}  // namespace tc::subcore::test::load_store_direct_test
