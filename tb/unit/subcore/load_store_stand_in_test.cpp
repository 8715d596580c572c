// SPDX-License-Identifier: Apache-2.0
#include <random>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include <tc/fabric/extensions.hpp>

#include "load_store_bench.hpp"

namespace tc::subcore::test::load_store_stand_in_test {
namespace {

using bench = load_store_bench;

using stand_ins::answer_style;

/// Memories of another make: they answer in a style, after random times and so in another order, and spoil what they may ignore.
stand_ins::plain_memory::params foreign_memory(answer_style style, unsigned seed) {
  stand_ins::plain_memory::params memory;
  memory.style = style;
  memory.latency = [random = std::mt19937(seed)](const auto&) mutable {
    return sc_core::sc_time(static_cast<double>(random() % 80), sc_core::SC_NS);
  };
  memory.spoil = [](tlm::tlm_generic_payload& payload) { fabric::warp_tag::of(payload).warp = 0xffff; };
  return memory;
}

/// Random accesses: every value must be the one a plain array gives.
class late_memories : public testing::TestWithParam<std::tuple<answer_style, unsigned>> {};

TEST_P(late_memories, change_no_value_and_no_order) {
  const auto [style, seed] = GetParam();
  bench test({true, 1, false, foreign_memory(style, seed)});
  test.fill_shared(word_pattern);
  test.fill_global(word_pattern);
  std::mt19937 random(seed);
  std::vector<links::warp_instruction*> sent;
  std::array<std::vector<std::uint32_t>, 2> model;  // words of shared and global memory
  for (auto& words : model)
    for (unsigned i = 0; i < 512; ++i) words.push_back(word_of(4 * i));
  std::vector<warp::lane_vector> expected;
  for (unsigned i = 0; i < 60; ++i) {
    const bool global = random() % 2 == 0, store = random() % 2 == 0;
    const std::string text = std::string(store ? "ST" : "LD") + (global ? "G.E " : "S ");
    const std::uint64_t base = global ? bench::global_base : 0;
    const auto mask = static_cast<std::uint32_t>(random());
    links::warp_instruction& instruction = test.make(
        store ? text + (global ? "[R2.64], R4" : "[R2], R4") : text + (global ? "R0, [R2.64]" : "R0, [R2]"),
        [&](unsigned) { return base + random() % 512 * 4; }, mask == 0 ? 1 : mask);
    if (store) bench::set_source(instruction, 1, 0, [&](unsigned) { return static_cast<std::uint32_t>(random()); });
    warp::lane_vector values{};
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
      if ((instruction.step.mask >> lane & 1U) == 0) continue;
      std::uint32_t& word = model[global ? 1 : 0][(instruction.step.addresses[lane] - base) / 4];
      if (store) word = instruction.operand(1, 0)[lane];
      values[lane] = word;
    }
    expected.push_back(values);
    sent.push_back(&instruction);
    while (test.unit().earliest_dispatch(instruction.code(), test.clock.cycle() + bench::issue_to_dispatch).cycle >
           test.clock.cycle() + bench::issue_to_dispatch)
      test.run_to(test.clock.cycle() + 1);
    test.issue(instruction);
    test.run_to(instruction.dispatch);
    test.operands_ready(instruction);
  }
  for (unsigned i = 0; i < 1000 && !test.unit().idle(); ++i) test.run_to(test.clock.cycle() + 100);
  ASSERT_TRUE(test.unit().idle());
  ASSERT_EQ(test.results().size(), sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i) {
    if (!operation_of(sent[i]->code().op).is_load()) continue;
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
      if ((sent[i]->step.mask >> lane & 1U) != 0) {
        EXPECT_EQ(sent[i]->result_registers[0][lane], expected[i][lane]) << sent[i]->code().text << " " << i << ", lane " << lane;
      }
    }
  }
  std::array<std::uint64_t, isa::memory_spaces> last_line{};
  for (const links::warp_instruction* result : test.results()) {
    std::uint64_t& last = last_line[static_cast<unsigned>(operation_of(result->code().op).space)];
    EXPECT_GT(result->step.line, last) << "results of one memory come in order";
    last = result->step.line;
  }
}

INSTANTIATE_TEST_SUITE_P(
    load_store_unit, late_memories,
    testing::Combine(testing::Values(answer_style::completed, answer_style::updated_begin_response, answer_style::accepted,
                                     answer_style::accepted_skips_end_request, answer_style::random),
                     testing::Values(1U, 2U)),
    [](const auto& test) { return testing::PrintToString(std::get<0>(test.param)) + "_" + std::to_string(std::get<1>(test.param)); });

TEST(load_store_unit, takes_the_time_of_a_foreign_shared_memory_and_stops_announcing_to_it) {
  stand_ins::plain_memory::params memory;
  memory.latency = [](const auto&) { return sc_core::sc_time(30, sc_core::SC_NS); };
  bench test({true, 1, false, memory});
  test.fill_shared(word_pattern);
  for (unsigned i = 0; i < 3; ++i) {
    links::warp_instruction& load = test.make("LDS R0, [R2]", [](unsigned lane) { return 4 * lane; });
    EXPECT_EQ(test.execute(load), shared_pipeline + 30);
    EXPECT_EQ(load.result_registers[0][7], word_of(28));
    EXPECT_EQ(load.undefined_lanes, 0U) << "it keeps no count of what was written";
  }
  EXPECT_EQ(test.foreign_links[0]->monitor.transactions(), test.foreign_shared->reads() + 1U) << "one announcement";
}

}  // namespace
}  // namespace tc::subcore::test::load_store_stand_in_test
