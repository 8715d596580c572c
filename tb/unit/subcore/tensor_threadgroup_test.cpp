// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include <tc/numerics/matrix_product.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>
#include <tc/subcore/tensor/threadgroups.hpp>

#include "tensor_machines.hpp"

namespace tc::subcore::tensor_threadgroup_test {
namespace {

/// Octet 1, lanes 4 to 7 and 20 to 23, with two tiles for A and one for the accumulators.
struct threadgroup_bench {
  static constexpr links::octet_range octets{1, 1};

  void fill(std::uint32_t a, std::uint32_t c, unsigned a_tile) {
    const warp::lane_vector a_register = warp::broadcast(a), c_register = warp::broadcast(c);
    links::matrix_work work;
    work.schedule.a_tile = a_tile;
    work.a.fill(&a_register);
    work.c.fill(&c_register);
    groups.fill(work, octets, *layout);
  }

  /// D of the lanes, computed from what the buffers hold with a B of ones in every column but the last.
  std::array<warp::lane_vector, links::max_accumulator_registers> compute(unsigned a_tile) const {
    links::tensor_schedule schedule;
    schedule.a_tile = a_tile;
    links::b_words b{};
    links::accumulator_words sums{};
    const links::product_shape shape = layout->shape_of(octets);
    std::fill_n(b.begin(), links::lanes_per_threadgroup * mma.b_registers() * (isa::matrix_tile_lines - 1), 0x01010101);
    multiply({shape.rows, shape.columns, shape.k, groups.a(schedule), b.data(), groups.c(schedule), sums.data()});
    std::array<warp::lane_vector, links::max_accumulator_registers> d;
    d.fill(warp::broadcast(0xdead));
    std::array<warp::lane_vector*, links::max_accumulator_registers> registers{};
    for (std::size_t r = 0; r < d.size(); ++r) registers[r] = &d[r];
    layout->store_d(sums.data(), octets, registers.data());
    return d;
  }

  isa::mma_operation mma = test::matrix_operation("IMMA.8816.S8.S8", isa::architecture::sm_75);
  std::unique_ptr<const product_layout> layout = product_layout::of(mma);
  numerics::matrix_product multiply{dot_product_of(mma, {})};
  threadgroups groups{2, 1};
};

TEST(tensor_threadgroup, multiplies_what_its_buffers_hold) {
  threadgroup_bench bench;
  bench.fill(0x02020202, 5, 0);
  const auto d = bench.compute(0);
  EXPECT_EQ(d[0][4], 16 * 2 + 5u) << "column 0";
  EXPECT_EQ(d[1][6], 16 * 2 + 5u) << "column 5";
  EXPECT_EQ(d[1][7], 5u) << "column 7, where B is zero";
  EXPECT_EQ(d[1][22], 16 * 2 + 5u) << "column 5 in the upper threadgroup";
  EXPECT_EQ(d[0][3], 0xdeadu) << "a lane of another octet";
  EXPECT_EQ(d[0][8], 0xdeadu);
}

TEST(tensor_threadgroup, keeps_its_tiles_apart) {
  threadgroup_bench bench;
  bench.fill(0x02020202, 5, 0);
  bench.fill(0x03030303, 7, 1);
  EXPECT_EQ(bench.compute(0)[0][4], 16 * 2 + 7u) << "the one accumulator tile was overwritten";
  EXPECT_EQ(bench.compute(1)[0][4], 16 * 3 + 7u);
}

TEST(tensor_threadgroup, promises_its_tiles_in_turn) {
  tile_ring tiles(2);
  EXPECT_EQ(tiles.next_free(), 0u);
  EXPECT_EQ(tiles.promise(20), 0u);
  EXPECT_EQ(tiles.next_free(), 0u) << "the other tile";
  EXPECT_EQ(tiles.promise(30), 1u);
  EXPECT_EQ(tiles.next_free(), 20u);
  EXPECT_EQ(tiles.promise(40), 0u);
}

TEST(tensor_threadgroup, holds_a_tile_until_it_is_released) {
  tile_ring tiles(2);
  EXPECT_EQ(tiles.hold(0, 20), 0u);
  EXPECT_EQ(tiles.hold(1, 30), 0u);
  EXPECT_EQ(tiles.hold(0, 40), 20u);
  EXPECT_EQ(tiles.hold(0, 50), 40u);
}

}  // namespace
}  // namespace tc::subcore::tensor_threadgroup_test
