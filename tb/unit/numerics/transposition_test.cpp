// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <numeric>

#include <gtest/gtest.h>

#include <tc/numerics/transposition.hpp>

namespace transposition_test {

namespace {

using namespace tc::numerics;

constexpr unsigned columns = 4, pitch = 24;
using part = std::array<std::uint32_t, transposition::part_rows * columns>;

TEST(transposition, puts_columns_side_by_side_and_back_with_all_instructions) {
  std::array<part, 2> parts{};
  std::iota(parts[0].begin(), parts[0].end(), 100);
  std::iota(parts[1].begin(), parts[1].end(), 200);
  const std::uint32_t* const from[] = {parts[0].data(), parts[1].data()};
  for (const instruction_set set : instruction_sets()) {
    for (const unsigned count : {1U, 2U}) {
      const transposition transposes(set);
      std::array<std::uint32_t, columns * pitch> rows{};
      transposes.to_rows(from, count, rows.data(), pitch);
      for (unsigned column = 0; column < columns; ++column)
        for (unsigned row = 0; row < pitch; ++row)
          ASSERT_EQ(rows[column * pitch + row],
                    row < count * transposition::part_rows
                        ? parts[row / transposition::part_rows][row % transposition::part_rows * columns + column]
                        : 0)
              << name(set) << ": " << count << " parts, row " << row << ", column " << column;
      std::array<part, 2> back{};
      std::uint32_t* const to[] = {back[0].data(), back[1].data()};
      transposes.from_rows(rows.data(), pitch, to, count);
      EXPECT_EQ(back[0], parts[0]) << name(set);
      EXPECT_EQ(back[1], count == 2 ? parts[1] : part{}) << name(set);
    }
  }
}

}  // namespace

}  // namespace transposition_test
