// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include <tc/subcore/tensor/tensor_timing.hpp>

#include "tensor_machines.hpp"

namespace tc::subcore::tensor_timing_test {
namespace {

using test::ampere;
using test::hopper;
using test::tensor_machine;
using test::turing;
using test::volta;

/// Cycles between the starts of equal instructions once the buffers are full, each dispatched as early as possible.
cycle_t steady_interval(const tensor_demand& demand, const config::tensor_core_parameters& parameters) {
  test::timing_bench bench(parameters);
  tensor_timing& timing = bench.timing;
  constexpr unsigned warm_up = 8, measured = 12;
  links::tensor_schedule schedule;
  cycle_t first = 0, last = 0;
  for (unsigned i = 0; i < warm_up + measured; ++i) {
    last = timing.earliest_dispatch(demand);
    timing.reserve(demand, last, schedule);
    if (i + 1 == warm_up) first = last;
  }
  EXPECT_EQ((last - first) % measured, 0u) << "uneven";
  return (last - first) / measured;
}

struct expected_timing {
  tensor_machine (*machine)();
  const char* mnemonic;
  cycle_t interval, latency;
};

std::ostream& operator<<(std::ostream& out, const expected_timing& row) { return out << row.machine().name << ' ' << row.mnemonic; }

class tensor_timing_of : public testing::TestWithParam<expected_timing> {};

TEST_P(tensor_timing_of, gives_interval_and_latency_of_the_generation) {
  const tensor_machine machine = GetParam().machine();
  const tensor_demand demand = test::demand_of(test::matrix_operation(GetParam().mnemonic, machine.arch), machine.parameters);
  EXPECT_EQ(steady_interval(demand, machine.parameters), GetParam().interval);
  EXPECT_EQ(demand.result, GetParam().latency);
}

// Spacing and dependent latency: microbenchmarks of a Quadro RTX 6000 (connollydavid/tu102), what ptxas 13.0 assumes, and for sm_90 what
// was recorded on an H200.
INSTANTIATE_TEST_SUITE_P(turing, tensor_timing_of,
                         testing::Values(expected_timing{turing, "HMMA.1688.F16", 8, 14}, expected_timing{turing, "HMMA.1688.F32", 8, 14},
                                         expected_timing{turing, "IMMA.8816.S8.S8", 4, 10},
                                         expected_timing{turing, "IMMA.8832.S4.S4", 4, 10},
                                         expected_timing{turing, "BMMA.88128.XOR.POPC", 4, 10}));
// Intervals of steps and of dependent sets on a Titan V: Raihan et al., ISPASS 2019, figure 9.
INSTANTIATE_TEST_SUITE_P(volta, tensor_timing_of,
                         testing::Values(expected_timing{volta, "HMMA.884.F32.F32.STEP0", 2, 10},
                                         expected_timing{volta, "HMMA.884.F16.F16.STEP1", 4, 13}));
INSTANTIATE_TEST_SUITE_P(
    ampere, tensor_timing_of,
    testing::Values(expected_timing{ampere, "HMMA.1688.F16", 4, 16}, expected_timing{ampere, "HMMA.1688.F32", 4, 16},
                    expected_timing{ampere, "HMMA.16816.F16", 8, 24}, expected_timing{ampere, "HMMA.16816.F32", 8, 24},
                    expected_timing{ampere, "HMMA.16816.F32.BF16", 8, 24}, expected_timing{ampere, "IMMA.8816.S8.S8", 4, 14},
                    expected_timing{ampere, "IMMA.8832.S4.S4", 4, 14}, expected_timing{ampere, "IMMA.16832.S8.S8", 8, 24},
                    expected_timing{ampere, "IMMA.16816.S8.S8", 4, 16}, expected_timing{ampere, "HMMA.1684.F32.TF32", 4, 16},
                    expected_timing{ampere, "HMMA.1688.F32.TF32", 8, 24}));
// Behind elements under a byte the units need a cycle, which shows where they are busy all the time (Sun et al., arXiv 2206.02874).
INSTANTIATE_TEST_SUITE_P(ampere_under_a_byte, tensor_timing_of,
                         testing::Values(expected_timing{ampere, "IMMA.16864.S4.S4", 9, 24},
                                         expected_timing{ampere, "BMMA.168256.XOR.POPC", 9, 24},
                                         expected_timing{ampere, "BMMA.88128.XOR.POPC", 4, 14}));
// 19.5 TFLOPS: one every 16 cycles (NVIDIA A100 white paper). The latency is not published.
INSTANTIATE_TEST_SUITE_P(ampere_f64, tensor_timing_of, testing::Values(expected_timing{ampere, "DMMA.884", 16, 22}));
INSTANTIATE_TEST_SUITE_P(
    hopper, tensor_timing_of,
    testing::Values(expected_timing{hopper, "HMMA.16816.F32", 6, 24}, expected_timing{hopper, "HMMA.16816.F16", 6, 24},
                    expected_timing{hopper, "HMMA.1688.F32", 4, 16}, expected_timing{hopper, "HMMA.1688.F16", 4, 16},
                    expected_timing{hopper, "IMMA.8816.S8.S8", 4, 14}, expected_timing{hopper, "IMMA.16832.S8.S8", 6, 24},
                    expected_timing{hopper, "IMMA.16816.S8.S8", 4, 16}, expected_timing{hopper, "HMMA.1684.F32.TF32", 4, 16},
                    expected_timing{hopper, "HMMA.1688.F32.TF32", 6, 24}, expected_timing{hopper, "BMMA.168256.AND.POPC", 6, 24},
                    expected_timing{hopper, "BMMA.88128.AND.POPC", 4, 14}, expected_timing{hopper, "DMMA.884", 16, 26},
                    expected_timing{hopper, "DMMA.1684", 16, 34}, expected_timing{hopper, "DMMA.1688", 32, 50},
                    expected_timing{hopper, "DMMA.16816", 64, 82}));

/// Interval and latency of an operation after a change of the parameters.
struct effect {
  cycle_t interval, latency;
};

effect after(const tensor_machine& machine, const char* mnemonic, const std::function<void(config::tensor_core_parameters&)>& change) {
  config::tensor_core_parameters parameters = machine.parameters;
  change(parameters);
  const tensor_demand demand = test::demand_of(test::matrix_operation(mnemonic, machine.arch), parameters);
  return {steady_interval(demand, parameters), demand.result};
}

TEST(tensor_timing, f32_accumulation_at_half_rate_as_on_geforce) {
  const auto halve = [](auto& p) { p.f32_accumulate_divider = 2; };
  const effect f32 = after(turing(), "HMMA.1688.F32", halve), f16 = after(turing(), "HMMA.1688.F16", halve);
  EXPECT_EQ(f32.interval, 16u);
  EXPECT_EQ(f32.latency, 14u) << "a throttle of starts";
  EXPECT_EQ(f16.interval, 8u);
  EXPECT_EQ(f16.latency, 14u);
}

// One definition of busy: at their rate the units are busy in each cycle, and what they multiply is what their peak says.
TEST(tensor_timing, units_at_their_rate_are_busy_in_each_cycle) {
  for (const unsigned divider : {1U, 2U, 4U}) {
    SCOPED_TRACE(divider);
    config::tensor_core_parameters parameters = turing().parameters;
    parameters.f32_accumulate_divider = divider;
    const tensor_demand demand = test::demand_of(test::matrix_operation("HMMA.1688.F32", turing().arch), parameters);
    EXPECT_EQ(demand.busy, steady_interval(demand, parameters));
    test::timing_bench bench(parameters);
    tensor_timing& timing = bench.timing;
    links::tensor_schedule schedule;
    cycle_t busy_until = 0;
    for (unsigned i = 0; i < 8; ++i) {
      timing.reserve(demand, timing.earliest_dispatch(demand), schedule);
      EXPECT_TRUE(i == 0 || schedule.busy_from == busy_until);
      busy_until = schedule.busy_until;
    }
  }
}

TEST(tensor_timing, half_the_units_double_the_intervals) {
  for (const std::string& mnemonic : turing().operations) {
    SCOPED_TRACE(mnemonic);
    const effect whole = after(turing(), mnemonic.c_str(), [](auto&) {});
    const effect half = after(turing(), mnemonic.c_str(), [](auto& p) { p.dot_product_units /= 2; });
    EXPECT_EQ(half.interval, 2 * whole.interval);
    EXPECT_EQ(half.latency, whole.latency + whole.interval);
  }
}

TEST(tensor_timing, another_result_stage_lengthens_the_latency_alone) {
  for (const tensor_machine& machine : {turing(), ampere(), hopper()}) {
    for (const std::string& mnemonic : machine.operations) {
      SCOPED_TRACE(machine.name + (' ' + mnemonic));
      const effect before = after(machine, mnemonic.c_str(), [](auto&) {});
      const effect longer = after(machine, mnemonic.c_str(), [](auto& p) { ++p.result_stages, ++p.f64_result_stages; });
      EXPECT_EQ(longer.interval, before.interval);
      EXPECT_EQ(longer.latency, before.latency + 1);
    }
  }
}

TEST(tensor_timing, another_adder_stage_counts_for_each_pass_of_k) {
  const auto deepen = [](auto& p) { ++p.adder_stages; };
  EXPECT_EQ(after(ampere(), "HMMA.1688.F32", deepen).latency, 17u);
  EXPECT_EQ(after(ampere(), "HMMA.16816.F32", deepen).latency, 26u);
}

TEST(tensor_timing, f64_units_stand_idle_where_a_chain_is_longer_than_its_outputs) {
  const auto twice = [](auto& p) { p.f64_units *= 2; };
  EXPECT_EQ(after(ampere(), "DMMA.884", twice).interval, 16u) << "a step of the chain takes four cycles however few outputs there are";
  EXPECT_EQ(after(ampere(), "DMMA.884", [](auto& p) { p.f64_units = 1; }).interval, 32u);
  EXPECT_EQ(after(hopper(), "DMMA.1684", [](auto& p) { ++p.adder_stages; }).interval, 20u) << "five cycles for each of four k";
}

TEST(tensor_timing, buffers_of_one_tile_fill_only_between_computations) {
  const std::function<void(config::tensor_core_parameters&)> changes[] = {[](auto& p) { p.a_buffer.depth_tiles = 1; },
                                                                          [](auto& p) { p.accumulator_buffer.depth_tiles = 1; },
                                                                          [](auto& p) { p.b_buffer.depth_tiles = 1; }};
  for (const auto& change : changes) {
    EXPECT_EQ(after(turing(), "HMMA.1688.F32", change).interval, 1u + 8u);
    EXPECT_EQ(after(hopper(), "HMMA.16816.F32", change).interval, 6u + 4u);
    EXPECT_EQ(after(hopper(), "HMMA.16816.F32", change).latency, 24u);
  }
}

TEST(tensor_timing, narrower_buses_hold_back_what_they_bring) {
  EXPECT_EQ(after(ampere(), "HMMA.16816.F32", [](auto& p) { p.operand_bus.a_registers_per_cycle = 1; }).latency, 26u);
  EXPECT_EQ(after(ampere(), "HMMA.16816.F32", [](auto& p) { p.operand_bus.b_registers_per_cycle = 1; }).latency, 24u);
  EXPECT_EQ(after(ampere(), "HMMA.1688.F32", [](auto& p) { p.operand_bus.c_registers_per_cycle = 1; }).latency, 18u)
      << "four cycles for C, of which the multipliers hide one";
  EXPECT_EQ(after(hopper(), "HMMA.16816.F32", [](auto& p) { p.operand_bus.a_registers_per_cycle = 2; }).interval, 4u);
}

TEST(tensor_timing, b_buffers_of_their_own_are_filled_one_after_the_other) {
  const auto unshare = [](auto& p) { p.b_buffer.shared = false; };
  const auto unshare_on_narrow_bus = [](auto& p) { p.b_buffer.shared = false, p.operand_bus.b_registers_per_cycle = 1; };
  EXPECT_EQ(after(turing(), "HMMA.1688.F32", unshare).latency, 14u) << "the bus brings two registers a cycle";
  EXPECT_EQ(after(turing(), "HMMA.1688.F32", unshare_on_narrow_bus).latency, 15u);
  config::tensor_core_parameters parameters = turing().parameters;
  unshare_on_narrow_bus(parameters);
  const tensor_demand demand = test::demand_of(test::matrix_operation("HMMA.1688.F32", turing().arch), parameters);
  EXPECT_EQ(demand.b_transfer[0], 0u);
  EXPECT_EQ(demand.b_transfer[1], 1u);
}

TEST(tensor_timing, b_follows_a_on_a_shared_bus) {
  const tensor_demand demand = test::demand_of(test::matrix_operation("HMMA.16816.F32", hopper().arch), hopper().parameters);
  EXPECT_EQ(demand.b_transfer[0], 4u);
  EXPECT_EQ(demand.transfer, 6u);
}

TEST(tensor_timing, an_instruction_never_waits_between_fill_and_compute) {
  const config::tensor_core_parameters parameters = hopper().parameters;
  const tensor_demand big = test::demand_of(test::matrix_operation("HMMA.16816.F32", hopper().arch), parameters);
  const tensor_demand small = test::demand_of(test::matrix_operation("IMMA.8816.S8.S8", hopper().arch), parameters);
  test::timing_bench bench(parameters);
  tensor_timing& timing = bench.timing;
  cycle_t units_free = 0;
  for (const tensor_demand* demand : {&big, &small, &small, &big, &small, &big, &big, &small}) {
    links::tensor_schedule schedule;
    timing.reserve(*demand, timing.earliest_dispatch(*demand), schedule);
    EXPECT_GE(schedule.compute, units_free);
    units_free = schedule.release;
  }
}

TEST(tensor_timing, computes_before_between_and_behind_what_others_have_taken) {
  const tensor_demand demand = test::demand_of(test::matrix_operation("HMMA.16816.F32", hopper().arch), hopper().parameters);
  test::timing_bench bench(hopper().parameters);
  tensor_timing& timing = bench.timing;
  timing.take_units(100, 200, 0);
  timing.take_units(200 + demand.compute, 300, 0);
  EXPECT_EQ(timing.earliest_dispatch(demand, 10), 10u) << "before";
  EXPECT_EQ(timing.earliest_dispatch(demand, 100 - demand.fill), 200 - demand.fill) << "between";
  EXPECT_EQ(timing.earliest_dispatch(demand, 201 - demand.fill), 300 - demand.fill) << "the room between is too short by a cycle";
  EXPECT_EQ(timing.units_free_from(), 300u);
  links::tensor_schedule schedule;
  timing.reserve(demand, 200 - demand.fill, schedule);
  EXPECT_EQ(timing.earliest_dispatch(demand, 150), 300 - demand.fill) << "the room is taken";
}

}  // namespace
}  // namespace tc::subcore::tensor_timing_test
