#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "device_bench.hpp"
#include "device_problems.hpp"

// The order of commands, resets, and several devices.

namespace tc::platform::test {
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

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr unsigned moments = 50;
#else
constexpr unsigned moments = 1000;
#endif

/// Stops the kernel at moments from the reading of its descriptor to its completion record, and now and then a reset too. Monitors watch
/// all links to memory.
TEST(device_reset, at_any_moment_leaves_a_device_whose_next_command_is_exact) {
  device_bench bench("bench", small());
  std::mt19937 random(1);
  const tcsim_gemm gemm = descriptor_of(small_gemm(), 1);
  bench.start();
  write_matrices(bench, gemm, 0);
  const sc_core::sc_time begin = sc_core::sc_time_stamp();
  bench.execute(gemm);
  const auto whole = (sc_core::sc_time_stamp() - begin).value();
  for (unsigned moment = 1; moment <= moments; ++moment) {
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
    EXPECT_EQ(bench.status_of(gemm), TCSIM_RESULT_DONE) << moment;
    EXPECT_EQ(wrong_elements(bench, gemm, seed), 0u) << moment;
    EXPECT_EQ(bench.read(TCSIM_REG_COMPLETED), 1u) << moment;
    if (testing::Test::HasFailure()) break;
  }
  sc_core::sc_stop();  // monitors look for transactions that never ended
}

}  // namespace
}  // namespace tc::platform::test
