// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <ostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/trace/trace.hpp>

#include "device_bench.hpp"

// The order of commands, resets, and several devices.

namespace tc::platform::test::device_queue_test {
namespace {

device_bench::params small(unsigned seed = 1) {
  device_bench::params params;
  params.machine = machine_of(small_gemm().preset);
  params.memory.seed = seed;
  return params;
}

TEST(device_queue, runs_in_order_and_wraps) {
  device_bench bench("bench", small());
  std::vector<std::uint32_t> order;
  bench.device().on_done([&](const command_result& result) { order.push_back(result.record.identifier); });
  bench.start();
  const tcsim_gemm gemm = descriptor_of(small_gemm(), 100);
  write_matrices(bench, gemm, 1);
  std::vector<std::uint32_t> expected;
  for (std::uint32_t round = 0; round < 3; ++round) {
    for (std::uint32_t i = 0; i < device_bench::entries - 1; ++i) {
      expected.push_back(10 * round + i);
      if (i == 2) {
        expected.back() = 100;
        bench.queue(gemm);
      } else {
        bench.queue(device_bench::descriptor<tcsim_command>(TCSIM_OPCODE_NO_OPERATION, 10 * round + i));
      }
    }
    bench.ring_doorbell();
    bench.run();
    EXPECT_EQ(bench.read(TCSIM_REG_HEAD), bench.read(TCSIM_REG_TAIL));
  }
  EXPECT_EQ(order, expected);
  EXPECT_EQ(bench.read(TCSIM_REG_COMPLETED), 3 * (device_bench::entries - 1));
}

TEST(device_queue, begins_nothing_while_commands_are_off) {
  device_bench bench("bench", small());
  bench.start();
  bench.write(TCSIM_REG_CONTROL, 0);
  bench.queue(device_bench::descriptor<tcsim_command>(TCSIM_OPCODE_NO_OPERATION, 1));
  bench.ring_doorbell();
  bench.run();
  EXPECT_EQ(bench.read(TCSIM_REG_COMPLETED), 0u);
  bench.write(TCSIM_REG_CONTROL, TCSIM_CONTROL_ENABLE);
  bench.run();
  EXPECT_EQ(bench.read(TCSIM_REG_COMPLETED), 1u);
}

TEST(device_queue, two_devices_are_strangers) {
  device_bench first("first", small(1)), second("second", small(2));
  first.start();
  second.start();
  const tcsim_gemm gemm = descriptor_of(small_gemm(), 1);
  write_matrices(first, gemm, 1);
  write_matrices(second, gemm, 2);
  for (device_bench* bench : {&first, &second}) {
    bench->queue(gemm);
    bench->ring_doorbell();
  }
  first.run();
  EXPECT_EQ(wrong_elements(first, gemm, 1), 0u);
  EXPECT_EQ(wrong_elements(second, gemm, 2), 0u);
}

TEST(device_reset, gives_the_first_values_at_once_and_tells_when_it_is_done) {
  device_bench bench("bench", small());
  bench.start();
  const tcsim_gemm gemm = descriptor_of(small_gemm(), 1);
  write_matrices(bench, gemm, 1);
  bench.queue(gemm);
  bench.ring_doorbell();
  while (!bench.status(TCSIM_STATUS_RUNNING)) sc_core::sc_start(100, sc_core::SC_NS);
  bench.write(TCSIM_REG_CONTROL, TCSIM_CONTROL_RESET);
  EXPECT_EQ(bench.read(TCSIM_REG_STATUS), TCSIM_STATUS_RESETTING);
  for (const std::uint32_t offset : {TCSIM_REG_CONTROL, TCSIM_REG_RING_BASE_LOW, TCSIM_REG_RING_ENTRIES, TCSIM_REG_TAIL})
    EXPECT_EQ(bench.read(offset), 0u);
  // What is rung meanwhile begins behind the reset.
  bench.start();
  bench.write(TCSIM_REG_INTERRUPT_ENABLE, TCSIM_INTERRUPT_CAUSE_RESET_DONE);
  EXPECT_EQ(bench.status_of(gemm), TCSIM_RESULT_DONE);
  EXPECT_TRUE(bench.interrupt.read());
  EXPECT_EQ(bench.read(TCSIM_REG_COMPLETED), 1u);
  EXPECT_EQ(wrong_elements(bench, gemm, 1), 0u);
}

TEST(device_reset, by_the_input_acts_at_the_rising_edge) {
  device_bench bench("bench", small());
  bench.start();
  bench.reset.write(true);
  bench.run();
  EXPECT_EQ(bench.read(TCSIM_REG_RING_ENTRIES), 0u);
  EXPECT_TRUE(bench.cause(TCSIM_INTERRUPT_CAUSE_RESET_DONE));
  bench.start();
  bench.reset.write(false);
  bench.run();
  EXPECT_EQ(bench.read(TCSIM_REG_RING_ENTRIES), device_bench::entries);
}

TEST(device_queue, a_kernel_of_the_program_is_no_command) {
  device_bench bench("bench", small());
  std::istringstream text("tcsim-trace 1\narch sm_70\nkernel k\ngrid 1 1 1\nblock 32 1 1\ncta 0 0 0\nwarp 0\n/*0000*/ EXIT\n");
  const auto trace = std::make_shared<const trace::trace>(trace::trace::read(text, "k"));
  bench.device().gpu().submit(trace, "k");
  bench.run();
  EXPECT_EQ(bench.read(TCSIM_REG_COMPLETED), 0u);
  bench.start();
  const tcsim_gemm gemm = descriptor_of(small_gemm(), 1);
  write_matrices(bench, gemm, 1);
  bench.device().gpu().submit(trace, "k");
  EXPECT_EQ(bench.status_of(gemm), TCSIM_RESULT_DONE);
  EXPECT_EQ(wrong_elements(bench, gemm, 1), 0u);
  EXPECT_EQ(bench.read(TCSIM_REG_COMPLETED), 1u);
}

/// Whoever stops the simulation when the device is idle has seen its interrupt.
TEST(device_reset, is_told_by_the_interrupt_before_the_device_is_told_to_be_idle) {
  device_bench bench("bench", small());
  std::vector<bool> interrupts;
  bench.device().on_idle([&] { interrupts.push_back(bench.interrupt.read()); });
  bench.write(TCSIM_REG_CONTROL, TCSIM_CONTROL_RESET);
  bench.write(TCSIM_REG_INTERRUPT_ENABLE, TCSIM_INTERRUPT_CAUSE_RESET_DONE);
  bench.run();
  EXPECT_EQ(interrupts, (std::vector<bool>{true}));
}

/// A memory whose answers take no time, so that only the machine decides the cycles.
device_bench::params with_even_memory() {
  device_bench::params params = small();
  params.memory.way = stand_ins::answer::completed;
  params.memory.max_delay_ns = 0;
  return params;
}

TEST(device_reset, makes_the_machine_new) {
  device_bench bench("bench", with_even_memory());
  bench.start();
  const tcsim_gemm gemm = descriptor_of(small_gemm(), 1);
  write_matrices(bench, gemm, 1);
  const std::uint64_t cycles = bench.execute(gemm).cycles;
  bench.write(TCSIM_REG_CONTROL, TCSIM_CONTROL_RESET);
  bench.start();
  EXPECT_EQ(bench.execute(gemm).cycles, cycles);
}

TEST(device_time_limit, lets_a_kernel_take_just_so_many_cycles) {
  expect_warnings();
  device_bench bench("bench", with_even_memory());
  bench.start();
  const tcsim_gemm gemm = descriptor_of(small_gemm(), 1);
  write_matrices(bench, gemm, 1);
  bench.execute(gemm);
  const std::uint64_t cycles = bench.execute(gemm).cycles;
  bench.write(TCSIM_REG_TIME_LIMIT_LOW, static_cast<std::uint32_t>(cycles));
  EXPECT_EQ(bench.status_of(gemm), TCSIM_RESULT_DONE);
  bench.write(TCSIM_REG_TIME_LIMIT_LOW, static_cast<std::uint32_t>(cycles - 1));
  EXPECT_EQ(bench.status_of(gemm), TCSIM_RESULT_TIMEOUT);
}

/// While memory takes its time, nothing but the limit is to come.
TEST(device_time_limit, may_be_longer_than_time_lasts) {
  device_bench bench("bench", small());
  bench.start();
  const tcsim_gemm gemm = descriptor_of(small_gemm(), 1);
  write_matrices(bench, gemm, 1);
  const std::uint64_t cycles_of_time = sc_core::sc_max_time().value() / bench.device().period().value();
  for (const std::uint64_t limit : {cycles_of_time, cycles_of_time + 1, ~std::uint64_t{0}}) {
    bench.write(TCSIM_REG_TIME_LIMIT_LOW, static_cast<std::uint32_t>(limit));
    bench.write(TCSIM_REG_TIME_LIMIT_HIGH, static_cast<std::uint32_t>(limit >> 32));
    EXPECT_EQ(bench.status_of(gemm), TCSIM_RESULT_DONE) << limit;
  }
}

/// How often a device is reset, but with sanitizers, which have seen enough sooner (TC_RARER_RESETS).
struct reset_case {
  std::string name;
  gemm_case gemm;
  timing mode;
  unsigned moments;
};
void PrintTo(const reset_case& test, std::ostream* out) { *out << test.name; }

class device_reset_at : public testing::TestWithParam<reset_case> {};

/// Stops the kernel at moments from the reading of its descriptor to its completion record, and now and then a reset too. Monitors watch
/// all links to memory.
TEST_P(device_reset_at, any_moment_leaves_a_device_whose_next_command_is_exact) {
  device_bench::params params;
  params.machine = machine_of(GetParam().gemm.preset);
  params.mode = GetParam().mode;
  device_bench bench("bench", params);
  std::mt19937 random(1);
  const tcsim_gemm gemm = descriptor_of(GetParam().gemm, 1);
  bench.start();
  write_matrices(bench, gemm, 0);
  const sc_core::sc_time begin = sc_core::sc_time_stamp();
  bench.execute(gemm);
  const auto whole = (sc_core::sc_time_stamp() - begin).value();
  for (unsigned moment = 1; moment <= GetParam().moments / TC_RARER_RESETS; ++moment) {
    bench.queue(gemm);
    bench.ring_doorbell();
    sc_core::sc_start(sc_core::sc_time::from_value(random() % (whole + whole / 8) + 1));
    bench.write(TCSIM_REG_CONTROL, TCSIM_CONTROL_RESET);
    if (moment % 8 == 0) {
      sc_core::sc_start(sc_core::sc_time::from_value(random() % (whole / 16) + 1));
      bench.write(TCSIM_REG_CONTROL, TCSIM_CONTROL_RESET);
    }
    if (moment % 2 == 0) bench.run();  // else the next command is rung while the device is being reset
    bench.start();
    const auto seed = static_cast<int>(moment);
    write_matrices(bench, gemm, seed);
    ASSERT_EQ(bench.status_of(gemm), TCSIM_RESULT_DONE) << moment;
    ASSERT_EQ(wrong_elements(bench, gemm, seed), 0u) << moment;
    ASSERT_EQ(bench.read(TCSIM_REG_COMPLETED), 1u) << moment;
  }
  sc_core::sc_stop();  // monitors look for transactions that never ended
}

INSTANTIATE_TEST_SUITE_P(machines, device_reset_at,
                         testing::Values(reset_case{"approximate", small_gemm(), timing::approximate, 1000},
                                         reset_case{"loose", small_gemm(), timing::loose, 50},
                                         reset_case{"warpgroups", warpgroup_gemm(), timing::approximate, 30},
                                         reset_case{"tensor_memory", pointwise_gemm(), timing::approximate, 30}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tc::platform::test::device_queue_test
