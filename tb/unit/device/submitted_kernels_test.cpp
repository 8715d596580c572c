// SPDX-License-Identifier: Apache-2.0
#include "submitted_kernels.hpp"

#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/device/run_error.hpp>

// A GPU in a platform: kernels come while simulation runs.

namespace tc::device::test::submitted_kernels_test {
namespace {

constexpr const char* regions = "memory 0x1000 128 fill {}\nmemory 0x2000 128 zero\nexpect 0x2000 128 fill {}\n";

/// Copies 128 bytes of a value, and reads the clock.
std::string copying_kernel(unsigned value, unsigned expected) {
  return kernel_header(1, 1, fmt::format(fmt::runtime(regions), value, expected)) + cta_line(0) + warp_line(0) +
         "reg R2 0\nreg R3 0\n/*0000*/ LDG.E.SYS R4, [R2] @ 0x1000+4\n/*0010*/ STG.E.SYS [R2], R4 @ 0x2000+4\n"
         "/*0020*/ CS2R R6, SR_CLOCKLO\n/*0030*/ EXIT\n";
}
std::string copying_kernel(unsigned value) { return copying_kernel(value, value); }

void expect_exact(const accounting::ended_kernel& kernel) {
  EXPECT_EQ(kernel.outcome, accounting::kernel_outcome::finished) << kernel.fault_text;
  ASSERT_EQ(kernel.result.kernels.size(), 1U);
  EXPECT_EQ(kernel.result.kernels[0].expectations.size(), 1U);
  EXPECT_EQ(kernel.result.mismatches(), 0U);
}

TEST(submitted_kernels, run_one_after_the_other_with_gaps_as_they_run_in_a_run) {
  submitting_machine machine(preset("turing"));
  EXPECT_TRUE(machine.device.idle());
  EXPECT_EQ(machine.submit(copying_kernel(7)), 0U);
  EXPECT_EQ(machine.submit(copying_kernel(8), "second"), 1U);
  EXPECT_FALSE(machine.device.idle());
  expect_exact(machine.run());
  EXPECT_EQ(machine.idle, 1U);
  machine.run_for(1000.5);
  EXPECT_EQ(machine.submit(copying_kernel(9)), 2U);
  expect_exact(machine.run());
  EXPECT_TRUE(machine.device.idle());
  EXPECT_EQ(machine.idle, 2U);

  ASSERT_EQ(machine.ended.size(), 3U);
  EXPECT_EQ(machine.ended[1].number, 1U);
  EXPECT_EQ(machine.ended[1].result.kernels[0].file, "second");
  EXPECT_EQ(machine.ended[1].result.kernels[0].start, machine.ended[0].result.kernels[0].end + 1);
  for (const accounting::ended_kernel& kernel : machine.ended) {
    const accounting::run_result& result = kernel.result;
    EXPECT_EQ(result.cycles, result.kernels[0].cycles());
    EXPECT_EQ(result.cycles, machine.ended[0].result.cycles);
    EXPECT_EQ(result.instructions, 4U);
    ASSERT_EQ(result.clock_reads.size(), 1U);
    EXPECT_EQ(result.clock_reads[0].kernel, 0U);
    expect_cycles_accounted(result);
  }
}

TEST(submitted_kernels, take_the_cycles_that_they_take_in_a_run) {
  const std::shared_ptr<const trace::trace> trace = shared_trace(copying_kernel(7));
  gpu batch("batch", preset("turing"), {{"kernel", trace.get()}});
  submitting_machine machine(preset("turing"));
  EXPECT_EQ(machine.device.sms(), preset("turing").sms);
  machine.submit(copying_kernel(7));
  const accounting::run_result result = batch.run();
  ASSERT_EQ(machine.ended.size(), 1U);
  EXPECT_EQ(machine.ended[0].result.cycles, result.cycles);
}

TEST(submitted_kernels, may_come_when_another_ends) {
  submitting_machine machine(preset("turing"));
  machine.then = [&](const accounting::ended_kernel& kernel) {
    if (kernel.number < 2) machine.submit(copying_kernel(kernel.number + 10));
  };
  machine.submit(copying_kernel(7));
  expect_exact(machine.run());
  ASSERT_EQ(machine.ended.size(), 3U);
  EXPECT_EQ(machine.ended[2].result.kernels[0].start, machine.ended[1].result.kernels[0].end + 1);
  EXPECT_EQ(machine.idle, 1U);
}

TEST(submitted_kernels, that_are_refused_leave_nothing) {
  submitting_machine machine(preset("turing"));
  machine.submit(copying_kernel(7));
  EXPECT_THROW(machine.submit(kernel_header(1, 1, "", "sm_90") + cta_line(0) + warp_line(0) + "/*0000*/ EXIT\n"), run_error);
  EXPECT_THROW(machine.submit(kernel_header(1, 1, "memory 0x1040 128 zero\n") + cta_line(0) + warp_line(0) + "/*0000*/ EXIT\n"), run_error);
  EXPECT_THROW(
      machine.submit(kernel_header(1, 1, "memory 0x9000 8 zero\nexpect 0xa000 4 zero\n") + cta_line(0) + warp_line(0) + "/*0000*/ EXIT\n"),
      run_error);
  EXPECT_EQ(machine.submit(kernel_header(1, 1, "memory 0x9004 8 zero\n") + cta_line(0) + warp_line(0) + "/*0000*/ EXIT\n"), 1U);
  machine.run();
  EXPECT_EQ(machine.ended.size(), 2U);
}

TEST(submitted_kernels, run_with_a_period_of_their_own) {
  run_options options;
  options.period = sc_core::sc_time(714, sc_core::SC_PS);
  submitting_machine machine(preset("turing"), options);
  sc_core::sc_start(sc_core::sc_time(10000, sc_core::SC_PS), sc_core::SC_RUN_TO_TIME);
  machine.submit(copying_kernel(7));
  const accounting::kernel_result kernel = machine.run().result.kernels[0];
  EXPECT_EQ(kernel.start, 16U) << "the dispatcher acts in the first edge behind, at 15 * 714 ps";
  EXPECT_EQ(machine.device.clock().time_of(kernel.end), sc_core::sc_time_stamp());
}

// What the model keeps of a kernel: its trace, until nothing of global memory comes from it any more.
TEST(submitted_kernels, do_not_pile_up) {
  submitting_machine machine(preset("turing"));
  std::vector<std::weak_ptr<const trace::trace>> traces;
  const auto submit_next = [&] {
    const auto trace = shared_trace(copying_kernel(static_cast<unsigned>(traces.size() % 200)));
    traces.push_back(trace);
    machine.device.submit(trace, "one of many");
  };
  machine.then = [&](const accounting::ended_kernel& kernel) {
    expect_exact(kernel);
    machine.ended.clear();
    if (traces.size() < 300) submit_next();
  };
  submit_next();
  sc_core::sc_start();
  ASSERT_EQ(traces.size(), 300U);
  std::size_t alive = 0;
  for (const auto& trace : traces) alive += trace.expired() ? 0U : 1U;
  EXPECT_EQ(alive, 1U) << "the images of the last one are global memory's";
}

}  // namespace
}  // namespace tc::device::test::submitted_kernels_test
