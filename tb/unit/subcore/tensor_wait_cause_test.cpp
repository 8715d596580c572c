// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/subcore/tensor/tensor_timing.hpp>

#include "tensor_machines.hpp"

namespace tc::subcore::tensor_wait_cause_test {
namespace {

/// What the third of three equal instructions waits for, the first two dispatched as early as possible.
links::stall_cause third_waits_for(const char* mnemonic, const config::tensor_core_parameters& parameters) {
  const tensor_demand demand = test::demand_of(test::matrix_operation(mnemonic, test::turing().arch), parameters);
  test::timing_bench bench(parameters);
  tensor_timing& timing = bench.timing;
  links::tensor_schedule schedule;
  for (unsigned i = 0; i < 2; ++i) timing.reserve(demand, timing.earliest_dispatch(demand), schedule);
  return timing.wait_cause(demand);
}

// HMMA.1688 takes the 32 dot-product units of a Turing sub-core for 8 cycles and the buses for fewer.
TEST(tensor_wait_cause, is_the_dot_product_units_of_turing) {
  EXPECT_EQ(third_waits_for("HMMA.1688.F32", test::turing().parameters), links::stall_cause::tensor_busy);
}

TEST(tensor_wait_cause, is_the_buses_where_they_are_narrow_and_units_plenty) {
  config::tensor_core_parameters parameters = test::turing().parameters;
  parameters.operand_bus.a_registers_per_cycle = parameters.operand_bus.b_registers_per_cycle = 1;
  parameters.operand_bus.c_registers_per_cycle = 1;
  parameters.dot_product_units = 64;
  parameters.octets_per_cycle = 4;
  EXPECT_EQ(third_waits_for("HMMA.1688.F32", parameters), links::stall_cause::operand_bus);
}

// Accumulators are held for the rate of the sums: deeper buffers would save nothing.
TEST(tensor_wait_cause, is_the_dot_product_units_where_sums_are_throttled) {
  config::tensor_core_parameters parameters = test::turing().parameters;
  parameters.f32_accumulate_divider = 2;
  EXPECT_EQ(third_waits_for("HMMA.1688.F32", parameters), links::stall_cause::tensor_busy);
}

// With one tile, nothing fills while something computes.
TEST(tensor_wait_cause, is_the_buffers_where_they_hold_one_tile) {
  config::tensor_core_parameters parameters = test::turing().parameters;
  parameters.a_buffer.depth_tiles = parameters.b_buffer.depth_tiles = parameters.accumulator_buffer.depth_tiles = 1;
  EXPECT_EQ(third_waits_for("HMMA.1688.F32", parameters), links::stall_cause::buffer_full);
}

}  // namespace
}  // namespace tc::subcore::tensor_wait_cause_test
