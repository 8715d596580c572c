// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>

#include <gtest/gtest.h>

#include "canonical_matrix.hpp"
#include "tensor_kernel.hpp"

// tcgen05.shift and tcgen05.cp, as traces run them.

namespace tc::device::test::tensor::tensor_copy_run_test {
namespace {

constexpr unsigned shifted_column = 16, first_sent = 8, columns_sent = 24;

/// Columns from first_sent on, of which lane l and column c hold 1000 l + c.
tensor_kernel tagged_kernel(unsigned number = 0) {
  tensor_kernel kernel(number);
  kernel.fill({first_sent, columns_sent}, [](unsigned lane, unsigned column) { return tag({lane, column}); });
  kernel.send({first_sent, columns_sent});
  return kernel;
}

/// The lane whose cell a lane has after so many shifts.
unsigned source(unsigned lane, unsigned shifts) { return std::min(lane + shifts, lane | 31); }

bool is_shifted(unsigned column) { return column >= shifted_column && column < shifted_column + 8; }

void expect_shifted(const tensor_kernel& kernel, unsigned shifts) {
  for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane)
    for (unsigned column = first_sent; column < first_sent + columns_sent; ++column)
      ASSERT_EQ(kernel.cell({lane, column}), tag({is_shifted(column) ? source(lane, shifts) : lane, column})) << lane << ", " << column;
}

TEST(tensor_shift, case_1_moves_the_lanes_of_each_chunk_by_one) {
  tensor_kernel kernel = tagged_kernel();
  kernel.issue(shift(shifted_column));
  kernel.wait();
  expect_finished(run(kernel));
  expect_shifted(kernel, 1);
  for (const auto& [lane, from] : {std::pair{0, 1},
                                   {1, 2},
                                   {30, 31},
                                   {31, 31},
                                   {32, 33},
                                   {62, 63},
                                   {63, 63},
                                   {64, 65},
                                   {94, 95},
                                   {95, 95},
                                   {96, 97},
                                   {126, 127},
                                   {127, 127}})
    EXPECT_EQ(kernel.cell({static_cast<unsigned>(lane), 16}), 1000U * static_cast<unsigned>(from) + 16) << lane;
  EXPECT_EQ(kernel.cell({5, 15}), 5015U);
  EXPECT_EQ(kernel.cell({5, 24}), 5024U);
  EXPECT_EQ(kernel.cell({5, 16}), 6016U);
  EXPECT_EQ(kernel.cell({5, 23}), 6023U);
}

TEST(tensor_shift, case_2_repeats) {
  std::vector<tensor_kernel> kernels;
  for (const unsigned shifts : {3U, 31U}) {
    tensor_kernel& kernel = kernels.emplace_back(tagged_kernel(static_cast<unsigned>(kernels.size())));
    for (unsigned i = 0; i < shifts; ++i) {
      kernel.issue(shift(shifted_column | (i % 4 * 32) << 16));
      kernel.wait();
    }
  }
  expect_finished(run(kernels));
  expect_shifted(kernels[0], 3);
  expect_shifted(kernels[1], 31);
  for (const auto& [lane, from] :
       {std::pair{0, 3}, {10, 13}, {27, 30}, {28, 31}, {29, 31}, {31, 31}, {32, 35}, {60, 63}, {61, 63}, {63, 63}, {127, 127}})
    EXPECT_EQ(kernels[0].cell({static_cast<unsigned>(lane), 16}), 1000U * static_cast<unsigned>(from) + 16) << lane;
}

/// Shared memory in which word w of row r of a matrix is 0x10000 r + w.
std::vector<std::uint8_t> tagged_rows(const canonical_matrix& matrix, unsigned rows, unsigned words) {
  std::vector<std::uint8_t> bytes(0x8000);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned word = 0; word < words; ++word) {
      const std::uint32_t value = row << 16 | word;
      std::memcpy(&bytes.at(matrix.address(row, word, 4) - matrix.start), &value, sizeof value);
    }
  return bytes;
}

TEST(tensor_shift, case_3_makes_room_for_a_copy_of_four_rows) {
  constexpr canonical_matrix refill{0x1000, 128, 256};
  tensor_kernel kernel = tagged_kernel();
  kernel.put(refill.start, tagged_rows(refill, 4, 8));
  kernel.issue(shift(shifted_column) + copy("4x256b", 31 << 16 | shifted_column, refill.descriptor()));
  kernel.wait();
  expect_finished(run(kernel));
  for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane)
    for (unsigned column = first_sent; column < first_sent + columns_sent; ++column) {
      const unsigned moved = tag({is_shifted(column) ? source(lane, 1) : lane, column});
      const bool refilled = lane % 32 == 31 && is_shifted(column);
      ASSERT_EQ(kernel.cell({lane, column}), refilled ? (lane / 32) << 16 | (column - shifted_column) : moved) << lane << ", " << column;
    }
}

struct copy_case {
  const char* name;
  const char* form;
  unsigned rows, words;
  unsigned lane;                          ///< of the address
  int (*row)(unsigned lane);              ///< that a lane gets; none if negative
  std::array<std::pair<int, int>, 4> of;  ///< lanes with their rows, as examples
  canonical_matrix source{0x1000, 2048, 128};
};

class tensor_copy : public testing::TestWithParam<copy_case> {};

int same(unsigned lane) { return static_cast<int>(lane); }

INSTANTIATE_TEST_SUITE_P(case_14, tensor_copy,
                         testing::Values(copy_case{"of_128x256b", "128x256b", 128, 8, 0, same, {{{0, 0}, {5, 5}, {40, 40}, {127, 127}}}},
                                         copy_case{"of_128x256b_swizzled",
                                                   "128x256b",
                                                   128,
                                                   8,
                                                   0,
                                                   same,
                                                   {{{0, 0}, {5, 5}, {40, 40}, {127, 127}}},
                                                   canonical_matrix{0x1000, 16, 1024, 2}},
                                         copy_case{"of_128x128b", "128x128b", 128, 4, 0, same, {{{0, 0}, {5, 5}, {40, 40}, {127, 127}}}},
                                         copy_case{"of_4x256b",
                                                   "4x256b",
                                                   4,
                                                   8,
                                                   31,
                                                   [](unsigned lane) { return lane % 32 == 31 ? static_cast<int>(lane / 32) : -1; },
                                                   {{{31, 0}, {63, 1}, {95, 2}, {127, 3}}}},
                                         copy_case{"of_4x256b_from_lane_7",
                                                   "4x256b",
                                                   4,
                                                   8,
                                                   7,
                                                   [](unsigned lane) { return lane % 32 == 7 ? static_cast<int>(lane / 32) : -1; },
                                                   {{{7, 0}, {39, 1}, {71, 2}, {103, 3}}}},
                                         copy_case{"of_64x128b_02_13",
                                                   "64x128b.warpx2::02_13",
                                                   64,
                                                   4,
                                                   0,
                                                   [](unsigned lane) { return static_cast<int>(lane % 64); },
                                                   {{{5, 5}, {69, 5}, {40, 40}, {104, 40}}}},
                                         copy_case{"of_64x128b_01_23",
                                                   "64x128b.warpx2::01_23",
                                                   64,
                                                   4,
                                                   0,
                                                   [](unsigned lane) { return static_cast<int>(lane % 32 + lane / 64 * 32); },
                                                   {{{5, 5}, {37, 5}, {72, 40}, {104, 40}}}},
                                         copy_case{"of_32x128b",
                                                   "32x128b.warpx4",
                                                   32,
                                                   4,
                                                   0,
                                                   [](unsigned lane) { return static_cast<int>(lane % 32); },
                                                   {{{5, 5}, {37, 5}, {69, 5}, {101, 5}}},
                                                   canonical_matrix{0x1000, 16, 128}}),
                         [](const auto& of) { return of.param.name; });

TEST_P(tensor_copy, places_rows_in_lanes) {
  const copy_case& of = GetParam();
  tensor_kernel kernel = tagged_kernel();
  kernel.put(of.source.start, tagged_rows(of.source, of.rows, of.words));
  kernel.issue(copy(of.form, of.lane << 16 | shifted_column, of.source.descriptor()));
  kernel.wait();
  expect_finished(run(kernel));
  for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane)
    for (unsigned column = first_sent; column < first_sent + columns_sent; ++column) {
      const int row = of.row(lane);
      const bool copied = row >= 0 && column >= shifted_column && column < shifted_column + of.words;
      ASSERT_EQ(kernel.cell({lane, column}), copied ? static_cast<unsigned>(row) << 16 | (column - shifted_column) : tag({lane, column}))
          << lane << ", " << column;
    }
  for (const auto& [lane, row] : of.of) EXPECT_EQ(of.row(static_cast<unsigned>(lane)), row);
}

// 4 bits go to bits 5 to 2 of their byte, 6 bits to bits 6 to 1 (CUTLASS).
TEST(tensor_copy, gives_small_elements_a_byte_each) {
  constexpr canonical_matrix source{0x1000, 128, 128};
  std::vector<std::uint8_t> bytes(32 * 16);
  for (unsigned row = 0; row < 32; ++row)
    for (unsigned i = 0; i < 12; ++i) bytes[source.address(row, i, 1) - source.start] = static_cast<std::uint8_t>(37 * row + 11 * i);
  tensor_kernel kernel;
  kernel.put(source.start, bytes);
  kernel.issue(copy("32x128b.warpx4.b8x16.b4x16_p64", 0, source.descriptor()));
  kernel.issue(copy("32x128b.warpx4.b8x16.b6x16_p32", 4, source.descriptor()));
  kernel.wait();
  kernel.send({0, 8});
  expect_finished(run(kernel));
  for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane) {
    std::uint8_t row[16] = {};
    for (unsigned i = 0; i < 12; ++i) row[i] = bytes[source.address(lane % 32, i, 1) - source.start];
    for (unsigned i = 0; i < 16; ++i) {
      const unsigned nibble = row[i / 2] >> (4 * (i % 2)) & 15, first = 6 * i;
      const unsigned six = (row[first / 8] | row[first / 8 + 1] << 8) >> first % 8 & 63;
      ASSERT_EQ(kernel.cell({lane, i / 4}) >> (8 * (i % 4)) & 255, nibble << 2) << lane << ", " << i;
      ASSERT_EQ(kernel.cell({lane, 4 + i / 4}) >> (8 * (i % 4)) & 255, six << 1) << lane << ", " << i;
    }
  }
}

}  // namespace
}  // namespace tc::device::test::tensor::tensor_copy_run_test
