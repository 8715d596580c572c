// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "load_store_bench.hpp"

namespace tc::subcore::test::load_store_matrix_test {
namespace {

using bench = load_store_bench;

/// Element (row, column) of matrix m: its number. Rows lie 144 bytes apart, as padded tiles do.
std::uint64_t row_address(unsigned row) { return 144 * row; }

void fill_matrices(bench& test, unsigned row_bytes = 144) {
  test.fill_shared([=](std::uint64_t byte) {
    const std::uint64_t row = byte / row_bytes, column = byte % row_bytes / 2;
    const std::uint64_t value = row < 32 && column < 8 ? row * 8 + column : 0xffff;
    return static_cast<unsigned>(byte % 2 == 0 ? value : value >> 8);
  });
}

std::uint32_t pair_of(std::uint32_t low, std::uint32_t high) { return high << 16 | low; }

class matrix_loads : public testing::TestWithParam<unsigned> {};

/// Lane l gets elements 2(l mod 4) and the next of row l / 4 (PTX ISA, ldmatrix).
TEST_P(matrix_loads, deal_rows_to_lanes) {
  bench test;
  fill_matrices(test);
  const unsigned matrices = GetParam();
  const std::string width = matrices == 1 ? "" : "." + std::to_string(matrices);
  links::warp_instruction& load = test.make("LDSM.16.M88" + width + " R4, [R2]", row_address);
  EXPECT_EQ(test.execute(load), shared_cycles(matrices) + load_matrix);
  for (unsigned m = 0; m < matrices; ++m) {
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
      const unsigned first = m * 64 + lane / 4 * 8 + lane % 4 * 2;
      EXPECT_EQ(load.result_registers[m][lane], pair_of(first, first + 1)) << "matrix " << m << ", lane " << lane;
    }
  }
  EXPECT_EQ(statistics_of(test.unit())["matrix_accesses"], 1U);
}

TEST_P(matrix_loads, deal_columns_to_lanes_when_transposed) {
  bench test;
  fill_matrices(test);
  const unsigned matrices = GetParam();
  const std::string width = matrices == 1 ? "" : "." + std::to_string(matrices);
  links::warp_instruction& load = test.make("LDSM.16.MT88" + width + " R4, [R2]", row_address);
  test.execute(load);
  for (unsigned m = 0; m < matrices; ++m) {
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
      const unsigned column = lane / 4, row = lane % 4 * 2;
      EXPECT_EQ(load.result_registers[m][lane], pair_of(m * 64 + row * 8 + column, m * 64 + (row + 1) * 8 + column));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(load_store_unit, matrix_loads, testing::Values(1U, 2U, 4U));

/// All rows in the same banks: eight ways in each matrix.
TEST(load_store_unit, finds_bank_conflicts_of_matrix_rows) {
  bench test;
  fill_matrices(test, 128);
  links::warp_instruction& load = test.make("LDSM.16.M88.4 R4, [R2]", [](unsigned row) { return 128 * row; });
  EXPECT_EQ(test.execute(load), shared_cycles(32) + load_matrix);
  EXPECT_EQ(load.result_registers[3][31], pair_of(31 * 8 + 6, 31 * 8 + 7));
}

class matrix_stores : public testing::TestWithParam<bool> {};

TEST_P(matrix_stores, are_undone_by_matrix_loads) {
  bench test;
  const std::string layout = GetParam() ? "MT88" : "M88";
  links::warp_instruction& store = test.make("STSM.16." + layout + ".2 [R2], R4", row_address);
  for (unsigned m = 0; m < 2; ++m) bench::set_source(store, 1, m, [&](unsigned lane) { return 0x10000 * (lane + 32 * m) + 7 * lane; });
  test.execute(store);
  links::warp_instruction& load = test.make("LDSM.16." + layout + ".2 R4, [R2]", row_address);
  test.execute(load);
  for (unsigned m = 0; m < 2; ++m) EXPECT_EQ(load.result_registers[m], store.operand(1, m));
  EXPECT_EQ(load.undefined_lanes, 0U);
}

INSTANTIATE_TEST_SUITE_P(load_store_unit, matrix_stores, testing::Bool());

TEST(load_store_unit, transposes_a_matrix_between_lanes) {
  bench test;
  links::warp_instruction& move = test.make("MOVM.16.MT88 R0, R4");
  bench::set_source(move, 0, 0, [](unsigned lane) { return pair_of(lane * 2, lane * 2 + 1); });  // element (r, c) = 8 r + c
  EXPECT_EQ(test.execute(move), shared_pipeline + load_matrix);
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const unsigned row = lane / 4, column = lane % 4 * 2;
    EXPECT_EQ(move.result_registers[0][lane], pair_of(column * 8 + row, (column + 1) * 8 + row)) << lane;
  }
}

}  // namespace
}  // namespace tc::subcore::test::load_store_matrix_test
