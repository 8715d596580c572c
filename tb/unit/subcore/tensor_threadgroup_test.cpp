#include <algorithm>
#include <csignal>

#include <gtest/gtest.h>

#include <tc/subcore/threadgroups.hpp>

#include "tensor_machines.hpp"

namespace tc::subcore {
namespace {

/// Octet 1, lanes 4 to 7 and 20 to 23, with two tiles for A and one for the accumulators.
struct threadgroup_bench {
  fragment_transfer transfer(std::uint32_t a, std::uint32_t c, unsigned a_tile) const {
    fragment_transfer fragments;
    fragments.operation = &operation;
    fragments.schedule.a_tile = a_tile;
    for (lane_vector& reg : fragments.a) reg = broadcast(a);
    for (lane_vector& reg : fragments.accumulators) reg = broadcast(c);
    return fragments;
  }

  /// D of the lanes, computed with a B of ones in every column but the last.
  fragment_transfer compute(unsigned a_tile) const {
    packed_columns b{};
    const unsigned words_per_column = lanes_per_threadgroup * operation.b_registers();
    std::fill_n(b.begin(), words_per_column * (matrix_columns - 1), 0x01010101);
    fragment_transfer products = transfer(0, 0xdead, a_tile);
    groups.compute(b, products);
    return products;
  }

  test::tensor_machine machine = test::turing();
  tensor_operation operation{test::matrix_operation("IMMA.8816.S8.S8", machine.arch), machine.parameters};
  threadgroups groups{octet_range{1, 1}, 2, 1};
};

TEST(tensor_threadgroup, multiplies_what_its_buffers_hold) {
  threadgroup_bench bench;
  bench.groups.fill(bench.transfer(0x02020202, 5, 0));
  const fragment_transfer d = bench.compute(0);
  EXPECT_EQ(d.accumulators[0][4], 16 * 2 + 5u) << "column 0";
  EXPECT_EQ(d.accumulators[1][6], 16 * 2 + 5u) << "column 5";
  EXPECT_EQ(d.accumulators[1][7], 5u) << "column 7, where B is zero";
  EXPECT_EQ(d.accumulators[1][22], 16 * 2 + 5u) << "column 5 in the upper threadgroup";
  EXPECT_EQ(d.accumulators[0][3], 0xdeadu) << "a lane of another octet";
  EXPECT_EQ(d.accumulators[0][8], 0xdeadu);
}

TEST(tensor_threadgroup, keeps_its_tiles_apart) {
  threadgroup_bench bench;
  bench.groups.fill(bench.transfer(0x02020202, 5, 0));
  bench.groups.fill(bench.transfer(0x03030303, 7, 1));
  EXPECT_EQ(bench.compute(0).accumulators[0][4], 16 * 2 + 7u) << "the one accumulator tile was overwritten";
  EXPECT_EQ(bench.compute(1).accumulators[0][4], 16 * 3 + 7u);
}

TEST(tensor_threadgroup, never_holds_more_than_its_tiles) {
#ifdef NDEBUG
  GTEST_SKIP() << "assertions are off";
#else
  threadgroup_bench bench;
  tensor_schedule first, second;
  first.dispatch = 10;
  first.release = 20;
  first.accumulator_release = first.release;
  second.dispatch = 20;
  second.release = second.accumulator_release = 30;
  second.a_tile = 1;
  bench.groups.reserve_tiles(first);
  bench.groups.reserve_tiles(second);
  tensor_schedule early = first;  // A has room, the accumulators have not
  early.dispatch = 29;
  EXPECT_EXIT(bench.groups.reserve_tiles(early), testing::KilledBySignal(SIGABRT), "");
  early.dispatch = 30;
  bench.groups.reserve_tiles(early);
#endif
}

}  // namespace
}  // namespace tc::subcore
