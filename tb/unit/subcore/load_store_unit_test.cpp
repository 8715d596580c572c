// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/fabric/reports.hpp>

#include "load_store_bench.hpp"

namespace tc::subcore::test::load_store_unit_test {
namespace {

using bench = load_store_bench;

std::string type_of_error(const std::function<void()>& action, std::string& text) {
  try {
    action();
  } catch (const sc_core::sc_report& report) {
    text = report.get_msg();
    return report.get_msg_type();
  }
  return "";
}

struct stride_case {
  unsigned words, ways;
};

class shared_strides : public testing::TestWithParam<stride_case> {};

/// Two cycles for each further way of a conflict, as recorded on an H200.
TEST_P(shared_strides, cost_a_wavefront_for_each_way) {
  bench test;
  test.fill_shared(word_pattern);
  const unsigned stride = 4 * GetParam().words;
  links::warp_instruction& load = test.make("LDS R0, [R2]", [&](unsigned lane) { return stride * lane; });
  EXPECT_EQ(test.execute(load), shared_cycles(GetParam().ways));
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) EXPECT_EQ(load.result_registers[0][lane], word_of(stride * lane)) << lane;
  EXPECT_EQ(load.undefined_lanes, 0U);
  EXPECT_EQ(statistics_of(test.shared)["wavefronts"], GetParam().ways);
  EXPECT_EQ(statistics_of(test.shared)["bank_conflicts"], GetParam().ways - 1);
  EXPECT_EQ(statistics_of(test.unit())["bank_conflicts"], GetParam().ways - 1);
}

INSTANTIATE_TEST_SUITE_P(load_store_unit, shared_strides,
                         testing::Values(stride_case{0, 1}, stride_case{1, 1}, stride_case{2, 2}, stride_case{4, 4}, stride_case{8, 8},
                                         stride_case{16, 16}, stride_case{32, 32}, stride_case{33, 1}));

TEST(load_store_unit, loads_wide_words_in_parts_of_a_warp) {
  bench test;
  test.fill_shared(word_pattern);
  links::warp_instruction& two = test.make("LDS.64 R0, [R2]", [](unsigned lane) { return 8 * lane; });
  EXPECT_EQ(test.execute(two), shared_cycles(2) + shared_register);
  EXPECT_EQ(two.result_registers[1][5], word_of(44));
  links::warp_instruction& four = test.make("LDS.128 R4, [R2]", [](unsigned lane) { return 16 * lane; });
  EXPECT_EQ(test.execute(four), shared_cycles(4) + 3 * shared_register) << "no register is complete before the last wavefront";
  EXPECT_EQ(four.result_registers[3][31], word_of(16 * 31 + 12));
}

/// As measured on an H200: 26 cycles for an LDS.128 of one address, 23 for an LDS.
TEST(load_store_unit, loads_one_wide_word_for_all_lanes_sooner) {
  bench test;
  test.fill_shared(word_pattern);
  links::warp_instruction& four = test.make("LDS.128 R4, [R2]", [](unsigned) { return 32; });
  EXPECT_EQ(test.execute(four), shared_cycles(1) + 3);
  EXPECT_EQ(four.result_registers[3][31], word_of(44));
}

TEST(load_store_unit, extends_small_loads) {
  bench test;
  test.fill_shared([](std::uint64_t byte) { return 0x80 + static_cast<unsigned>(byte); });
  const auto load = [&](const char* text, unsigned bytes) {
    links::warp_instruction& instruction = test.make(text, [&](unsigned lane) { return bytes * lane; });
    test.execute(instruction);
    return instruction.result_registers[0][1];
  };
  EXPECT_EQ(load("LDS.U8 R0, [R2]", 1), 0x81U);
  EXPECT_EQ(load("LDS.S8 R0, [R2]", 1), 0xffffff81U);
  EXPECT_EQ(load("LDS.U16 R0, [R2]", 2), 0x8382U);
  EXPECT_EQ(load("LDS.S16 R0, [R2]", 2), 0xffff8382U);
}

TEST(load_store_unit, stores_only_the_active_lanes) {
  bench test;
  test.fill_shared([](std::uint64_t) { return 0xeeU; });
  links::warp_instruction& store = test.make(
      "STS.64 [R2], R4", [](unsigned lane) { return 8 * lane; }, 0x0000fff0);
  bench::set_source(store, 1, 0, [](unsigned lane) { return lane; });
  bench::set_source(store, 1, 1, [](unsigned lane) { return 1000 + lane; });
  EXPECT_EQ(test.execute(store), shared_cycles(1)) << "the upper half warp has nothing to do";
  EXPECT_EQ(test.shared_word(8 * 3), 0xeeeeeeeeU);
  EXPECT_EQ(test.shared_word(8 * 4), 4U);
  EXPECT_EQ(test.shared_word(8 * 15 + 4), 1015U);
  EXPECT_EQ(test.shared_word(8 * 16), 0xeeeeeeeeU);
}

TEST(load_store_unit, stores_bytes_between_other_bytes) {
  bench test;
  test.fill_shared([](std::uint64_t) { return 0xeeU; });
  links::warp_instruction& store = test.make("STS.U8 [R2], R4", [](unsigned lane) { return 2 * lane + 1; });
  bench::set_source(store, 1, 0, [](unsigned lane) { return 0x11223300 + lane; });
  test.execute(store);
  EXPECT_EQ(test.shared_word(4), 0x03ee02eeU);
}

TEST(load_store_unit, lets_the_highest_active_lane_win) {
  bench test;
  links::warp_instruction& shared = test.make(
      "STS [R2], R4", [](unsigned) { return 64; }, 0x00ffffff);
  bench::set_source(shared, 1, 0, [](unsigned lane) { return lane; });
  test.execute(shared);
  EXPECT_EQ(test.shared_word(64), 23U);

  links::warp_instruction& global = test.make("STG.E.64 [R2.64], R4", [](unsigned lane) { return bench::global_base + lane % 2 * 8; });
  bench::set_source(global, 1, 0, [](unsigned lane) { return lane; });
  bench::set_source(global, 1, 1, [](unsigned lane) { return lane + 100; });
  test.execute(global);
  EXPECT_EQ(test.global_word(bench::global_base), 30U);
  EXPECT_EQ(test.global_word(bench::global_base + 12), 131U);
}

TEST(load_store_unit, stores_zero_from_the_zero_register) {
  bench test;
  test.fill_shared([](std::uint64_t) { return 0xffU; });
  test.execute(test.make("STS [R2], RZ", [](unsigned lane) { return 4 * lane; }));
  EXPECT_EQ(test.shared_word(40), 0U);
}

TEST(load_store_unit, adds_the_window_of_the_cta) {
  bench test;
  test.fill_shared(word_pattern);
  test.warp.shared_base = 4096;
  links::warp_instruction& load = test.make("LDS R0, [R2]", [](unsigned lane) { return 0x400 + 4 * lane; });
  test.execute(load);
  EXPECT_EQ(load.result_registers[0][3], word_of(4096 + 0x400 + 12));
}

TEST(load_store_unit, asks_global_memory_for_lines) {
  bench test;
  test.fill_global(word_pattern);
  const auto load = [&](const char* text, unsigned stride) -> links::warp_instruction& {
    return test.make(text, [=](unsigned lane) { return bench::global_base + stride * lane; });
  };
  links::warp_instruction& coalesced = load("LDG.E R0, [R2.64]", 4);
  EXPECT_EQ(test.execute(coalesced), global_pipeline + bench::global_latency);
  EXPECT_EQ(coalesced.result_registers[0][9], word_of(36));
  EXPECT_EQ(statistics_of(test.unit())["requests"], 1U);
  links::warp_instruction& wide = load("LDG.E.128 R4, [R2.64]", 16);
  EXPECT_EQ(test.execute(wide), global_pipeline + bench::global_latency + 3 * global_register) << "lines come faster than registers";
  EXPECT_EQ(wide.result_registers[2][7], word_of(16 * 7 + 8));
  EXPECT_EQ(statistics_of(test.unit())["requests"], 5U);
  links::warp_instruction& scattered = load("LD.E R0, [R2.64]", 1024);
  EXPECT_EQ(test.execute(scattered), global_pipeline + bench::global_latency + 31);
  EXPECT_EQ(scattered.result_registers[0][31], word_of(31 * 1024));
}

TEST(load_store_unit, says_when_the_operands_have_been_read) {
  bench test;
  test.run_to(50);
  links::warp_instruction& store = test.make("STG.E [R2.64], RZ", [](unsigned lane) { return bench::global_base + 4 * lane; });
  test.execute(store);
  EXPECT_EQ(store.operands_read, 58U);
  EXPECT_EQ(store.result, 50 + bench::issue_to_dispatch + global_pipeline + bench::global_latency) << "acknowledged";
}

TEST(load_store_unit, leaves_the_result_open_until_it_knows) {
  bench test;
  links::warp_instruction& load = test.make("LDS R0, [R2]", [](unsigned lane) { return 4 * lane; });
  load.result = 77;
  test.issue(load);
  EXPECT_EQ(load.result, 0U);
  EXPECT_FALSE(test.unit().idle());
  test.run_to(load.dispatch);
  test.operands_ready(load);
  test.run_to(100);
  EXPECT_EQ(load.result, load.dispatch + shared_cycles(1));
  EXPECT_TRUE(test.unit().idle());
}

TEST(load_store_unit, marks_what_nobody_wrote) {
  bench test;
  test.fill_shared(word_pattern, 64);
  links::warp_instruction& load = test.make("LDS R0, [R2]", [](unsigned lane) { return 4 * lane; });
  test.execute(load);
  EXPECT_EQ(load.undefined_lanes, 0xffff0000U);
  EXPECT_EQ(load.origin.code, &load.code());

  links::warp_instruction& matrix = test.make("LDSM.16.M88 R0, [R2]", [](unsigned row) { return 16 * row; });
  test.execute(matrix);
  EXPECT_EQ(matrix.undefined_lanes, 0xffff0000U) << "rows 4 to 7";
  links::warp_instruction& transposed = test.make("LDSM.16.MT88 R0, [R2]", [](unsigned row) { return 16 * row; });
  test.execute(transposed);
  EXPECT_EQ(transposed.undefined_lanes, 0xccccccccU) << "the lanes that hold rows 4 to 7";
}

class not_computed : public testing::TestWithParam<const char*> {};

TEST_P(not_computed, takes_time_and_leaves_no_value) {
  bench test;
  test.fill_shared(word_pattern);
  links::warp_instruction& instruction = test.make(
      GetParam(), [&](unsigned lane) { return 16 * lane; }, 0xff);
  EXPECT_GE(test.execute(instruction), std::min(shared_pipeline, global_pipeline));
  EXPECT_EQ(instruction.undefined_lanes, 0xffU);
  EXPECT_EQ(instruction.origin.code, instruction.step.code);
  EXPECT_EQ(instruction.origin.line, instruction.step.line);
}

INSTANTIATE_TEST_SUITE_P(load_store_unit, not_computed, testing::Values("ATOMS.AND.F32 R0, [R2], R4"));

TEST(load_store_unit, completes_at_once_what_has_no_result) {
  bench test;
  links::warp_instruction& slow = test.make("LDG.E R0, [R2.64]", [](unsigned lane) { return bench::global_base + 4 * lane; });
  links::warp_instruction& barrier = test.make("MEMBAR.SC.GPU");
  links::warp_instruction& off = test.make(
      "LDG.E R0, [R2.64]", [](unsigned) { return 0; }, 0);
  for (links::warp_instruction* i : {&slow, &barrier, &off}) test.issue(*i);
  test.run_to(bench::issue_to_dispatch);
  for (links::warp_instruction* i : {&slow, &barrier, &off}) test.operands_ready(*i);
  test.run_to(200);
  EXPECT_LE(barrier.result, bench::issue_to_dispatch + global_access + 4);
  EXPECT_LE(off.result, bench::issue_to_dispatch + global_access + 5);
  EXPECT_EQ(off.undefined_lanes, 0U);
  EXPECT_EQ(slow.result, bench::issue_to_dispatch + global_pipeline + bench::global_latency);
}

TEST(load_store_unit, returns_results_of_a_memory_in_order_and_lets_the_other_pass) {
  bench test;
  test.fill_shared(word_pattern);
  links::warp_instruction& first = test.make("LDG.E R0, [R2.64]", [](unsigned lane) { return bench::global_base + 1024 * lane; });
  links::warp_instruction& second = test.make("LDG.E R1, [R2.64]", [](unsigned) { return bench::global_base; });
  links::warp_instruction& third = test.make("LDS R3, [R2]", [](unsigned lane) { return 4 * lane; });
  for (links::warp_instruction* i : {&first, &second, &third}) test.issue(*i);
  for (links::warp_instruction* i : {&first, &second, &third}) {
    test.run_to(std::max(test.clock.cycle() + 1, i->dispatch));
    test.operands_ready(*i);
  }
  test.run_to(400);
  EXPECT_LE(first.result, second.result);
  EXPECT_LT(third.result, first.result);
  EXPECT_EQ(test.results().size(), 3U);
}

TEST(load_store_unit, starts_in_order_of_issue) {
  bench test;
  test.fill_shared(word_pattern);
  links::warp_instruction& store = test.make("STS [R2], R4", [](unsigned lane) { return 4 * lane; });
  bench::set_source(store, 1, 0, [](unsigned) { return 5; });
  links::warp_instruction& load = test.make("LDS R0, [R2]", [](unsigned lane) { return 4 * lane; });
  test.issue(store);
  test.issue(load);
  test.run_to(bench::issue_to_dispatch);
  test.operands_ready(load);
  test.run_to(bench::issue_to_dispatch + 50);
  EXPECT_TRUE(test.results().empty()) << "the store before it has no operands yet";
  test.operands_ready(store);
  test.run_to(200);
  EXPECT_EQ(load.result_registers[0][0], 5U);
}

struct distance_case {
  const char* load;
  std::uint64_t base;
  cycle_t cycles;
};

class access_distance : public testing::TestWithParam<distance_case> {};

/// As measured on an H200: a sub-core starts an LDS every two cycles, an LDG every four.
TEST_P(access_distance, is_that_of_the_memory) {
  bench test;
  std::vector<links::warp_instruction*> loads;
  for (unsigned i = 0; i < 3; ++i) {
    loads.push_back(&test.make(GetParam().load, [](unsigned lane) { return GetParam().base + 4 * lane; }));
    test.issue(*loads.back());
  }
  test.run_to(bench::issue_to_dispatch);
  for (links::warp_instruction* load : loads) test.operands_ready(*load);
  test.run_to(200);
  EXPECT_EQ(loads[1]->result - loads[0]->result, GetParam().cycles);
  EXPECT_EQ(loads[2]->result - loads[1]->result, GetParam().cycles);
}

INSTANTIATE_TEST_SUITE_P(load_store_unit, access_distance,
                         testing::Values(distance_case{"LDS R0, [R2]", 0, shared_access},
                                         distance_case{"LDG.E R0, [R2.64]", bench::global_base, global_access}));

TEST(load_store_unit, stalls_the_issue_when_the_queue_is_full) {
  bench test;
  std::vector<links::warp_instruction*> loads;
  const isa::instruction code = isa::parse_operation("LDS R0, [R2]", isa::architecture::sm_90);
  for (unsigned i = 0; i < 5; ++i) {
    EXPECT_EQ(test.unit().earliest_dispatch(code, 6).cycle, 6U);
    loads.push_back(&test.make("LDS R0, [R2]", [](unsigned lane) { return 128 * lane; }));  // 64 cycles each
    test.issue(*loads.back());
  }
  const links::availability full = test.unit().earliest_dispatch(code, 6);
  EXPECT_GT(full.cycle, 6U);
  EXPECT_EQ(full.cause, links::stall_cause::memory_queue);
  test.run_to(bench::issue_to_dispatch);
  for (links::warp_instruction* load : loads) test.operands_ready(*load);
  test.run_to(bench::issue_to_dispatch + 10);
  EXPECT_EQ(test.unit().earliest_dispatch(code, 20).cycle, bench::issue_to_dispatch + 2 + 63) << "when the banks have served the first";
  EXPECT_EQ(statistics_of(test.unit())["queue_full"], 1U);
  test.run_to(500);
  EXPECT_EQ(test.results().size(), 5U);
}

class arbitration : public testing::TestWithParam<bool> {};

/// Two units whose accesses arrive in one cycle: the first link is served first, whichever unit runs first.
TEST_P(arbitration, does_not_depend_on_the_order_of_units) {
  bench test({true, 2, GetParam()});
  test.fill_shared(word_pattern);
  const auto load = [&] { return &test.make("LDS R0, [R2]", [](unsigned lane) { return 8 * lane; }); };
  const std::array<links::warp_instruction*, 2> loads{load(), load()};
  for (unsigned station = 0; station < 2; ++station) test.issue(*loads[station], station);
  test.run_to(bench::issue_to_dispatch);
  for (unsigned station = 0; station < 2; ++station) test.operands_ready(*loads[station], station);
  test.run_to(100);
  const links::warp_instruction &first = *loads[GetParam() ? 1 : 0], &second = *loads[GetParam() ? 0 : 1];
  EXPECT_EQ(first.result, first.dispatch + shared_cycles(2));
  EXPECT_EQ(second.result, second.dispatch + shared_cycles(2) + wavefront) << "in the gaps of the other";
}

INSTANTIATE_TEST_SUITE_P(load_store_unit, arbitration, testing::Bool());

TEST(load_store_unit, reports_an_address_outside_the_window) {
  bench test;
  links::warp_instruction& load = test.make("LDS R0, [R2]", [](unsigned lane) { return lane == 9 ? 8192 : 0; });
  std::string text;
  EXPECT_EQ(type_of_error([&] { test.execute(load); }, text), fabric::report::load_store_window);
  for (const char* part : {"station_0.unit", "cycle 6", "line 101", "LDS R0, [R2]", "lane 9", "0x2000"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in: " << text;
}

TEST(load_store_unit, reports_an_address_outside_global_memory) {
  bench test;
  test.was_aborted = true;
  links::warp_instruction& store = test.make("STG.E [R2.64], RZ", [](unsigned lane) { return bench::global_base - 4 + 4 * lane; });
  std::string text;
  EXPECT_EQ(type_of_error([&] { test.execute(store); }, text), fabric::report::load_store_memory);
  for (const char* part : {"station_0.unit", "line 101", "STG.E [R2.64], RZ", "write", "0xfffc", "TLM_ADDRESS_ERROR_RESPONSE"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in: " << text;
}

TEST(load_store_unit, goes_on_with_undefined_values_if_errors_are_switched_off) {
  bench test;
  sc_core::sc_report_handler::set_actions(fabric::report::load_store_window, sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_actions(fabric::report::load_store_memory, sc_core::SC_DO_NOTHING);
  for (const char* text : {"LDS R0, [R2]", "LDG.E R0, [R2.64]"}) {
    links::warp_instruction& load = test.make(text, [](unsigned) { return 0x8000; });
    test.execute(load);
    EXPECT_EQ(load.undefined_lanes, 0xffffffffU);
    EXPECT_EQ(load.origin.code, load.step.code);
  }
  EXPECT_TRUE(test.unit().idle());
}

TEST(load_store_unit, without_data_takes_the_same_time_and_finds_no_wrong_address) {
  bench test({false});
  EXPECT_EQ(test.execute(test.make("LDS R0, [R2]", [](unsigned lane) { return 16 * lane; })), shared_cycles(4));
  EXPECT_EQ(test.execute(test.make("LDG.E.128 R0, [R2.64]", [](unsigned lane) { return 0xdead0000 + 16 * lane; })),
            global_pipeline + bench::global_latency + 3 * global_register);
  EXPECT_EQ(test.execute(test.make("STG.E [R2.64], R4", [](unsigned lane) { return 4 * lane; })), global_pipeline + bench::global_latency);
  EXPECT_FALSE(statistics_of(test.unit()).has("transactions")) << "with data there are more of them";
}

}  // namespace
}  // namespace tc::subcore::test::load_store_unit_test
