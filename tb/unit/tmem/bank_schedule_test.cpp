// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include <gtest/gtest.h>

#include <tc/tmem/bank_schedule.hpp>

namespace tc::tmem::bank_schedule_test {
namespace {

using config::tensor_bank_organisation;
using isa::tensor_access;
using isa::tensor_access_shape;

/// Two registers a cycle, as on silicon.
bank_schedule silicon() { return {tensor_bank_organisation::sectors_of_2, 2}; }

tensor_access access(tensor_access_shape shape, unsigned repeat, unsigned column = 0, bool packed = false) {
  tensor_access made;
  made.shape = shape;
  made.repeat = repeat;
  made.packed = packed;
  made.address.column = column;
  return made;
}

/// Cycles of an access of a shape, measured on a B200 (public SASS documentation project), as a multiple of half its repetition.
struct measured {
  const char* name;
  tensor_access_shape shape;
  unsigned halves;
};
std::ostream& operator<<(std::ostream& out, const measured& shape) { return out << shape.name; }

class service : public testing::TestWithParam<measured> {};

TEST_P(service, takes_the_cycles_measured_on_silicon) {
  bank_schedule banks = silicon();
  const auto [name, shape, halves] = GetParam();
  for (unsigned repeat = 2; repeat <= isa::max_repeat(shape); repeat *= 2) {
    EXPECT_EQ(banks.cycles(access(shape, repeat)), halves * repeat / 2) << repeat;
    EXPECT_EQ(banks.cycles(access(shape, repeat)), halves * repeat / 2) << repeat << ", looked up";
    EXPECT_EQ(banks.cycles(access(shape, repeat, 0, true)), halves * repeat) << repeat << ", packed";
  }
}

INSTANTIATE_TEST_SUITE_P(bank_schedule, service,
                         testing::Values(measured{"32x32b", tensor_access_shape::lanes32_bits32, 1},
                                         measured{"16x64b", tensor_access_shape::lanes16_bits64, 2},
                                         measured{"16x128b", tensor_access_shape::lanes16_bits128, 4},
                                         measured{"16x256b", tensor_access_shape::lanes16_bits256, 16},
                                         measured{"16x32bx2", tensor_access_shape::lanes16_bits32x2, 1}));

TEST(bank_schedule, serves_pairs_of_columns_and_one_more_from_an_odd_one_on) {
  bank_schedule banks = silicon();
  for (unsigned columns = 1; columns <= 128; ++columns) {
    for (unsigned first : {0U, 1U, 6U, 7U, 64U, 129U})
      EXPECT_EQ(banks.cycles(isa::column_range{first, columns}), (columns + first % 2 + 1) / 2) << columns << " from " << first;
  }
  EXPECT_EQ(banks.cycles(access(tensor_access_shape::lanes32_bits32, 16, 5)), 9U) << "as the range";
}

/// Hypotheses with 128 bytes a cycle, a register at a time: eight banks are too fast for .16x256b on silicon, four are not.
TEST(bank_schedule, predicts_what_other_organisations_would_take) {
  bank_schedule eight(tensor_bank_organisation::banks_8x64, 1), four(tensor_bank_organisation::banks_4x128, 1);
  EXPECT_EQ(eight.cycles(access(tensor_access_shape::lanes16_bits256, 1)), 4U);
  EXPECT_EQ(four.cycles(access(tensor_access_shape::lanes16_bits256, 1)), 8U);
  EXPECT_EQ(four.cycles(access(tensor_access_shape::lanes16_bits128, 4)), 8U);
  EXPECT_EQ(eight.cycles(isa::column_range{0, 16}), 16U) << "a column at a time";
  EXPECT_EQ(four.cycles(isa::column_range{0, 16}), 16U);
}

TEST(bank_schedule, is_as_fast_as_the_fewest_rows_of_a_bank_allow) {
  const auto eight_columns = [](tensor_bank_organisation organisation, unsigned first) {
    return bank_schedule(organisation, 8).cycles(isa::column_range{first, 8});
  };
  for (unsigned first : {0U, 16U, 21U}) {
    EXPECT_EQ(eight_columns(tensor_bank_organisation::banks_8x64, first), 1U) << first;
    EXPECT_EQ(eight_columns(tensor_bank_organisation::banks_4x128, first), 2U) << first;
  }
  EXPECT_EQ(eight_columns(tensor_bank_organisation::sectors_of_2, 16), 4U);
  EXPECT_EQ(eight_columns(tensor_bank_organisation::sectors_of_2, 21), 5U) << "five pairs";
}

TEST(bank_schedule, takes_registers_in_turn) {
  const bank_schedule banks = silicon();
  EXPECT_EQ(banks.cycles({}), 0U);
  EXPECT_EQ(banks.cycles({{0, 1}, {2, 1}, {0, 1}}), 3U) << "the third comes too late to share the first one's pair";
  EXPECT_EQ(banks.cycles({{0, 1}, {1, 1}, {0, 1}}), 2U);
  EXPECT_EQ(banks.cycles({{0, 0b101}, {0, 0b1010}}), 2U) << "columns 0 and 2, 1 and 3";
}

TEST(bank_schedule, knows_the_columns_of_a_register) {
  const auto registers = columns_by_register(access(tensor_access_shape::lanes16_bits256, 2, 3));
  ASSERT_EQ(registers.size(), 8U);
  EXPECT_EQ(registers[0].first, 3U);
  EXPECT_EQ(registers[0].members, 0b1010101U);
  EXPECT_EQ(registers[1].first, 4U);
  EXPECT_EQ(registers[6].first, 11U);
  const auto packed = columns_by_register(access(tensor_access_shape::lanes32_bits32, 2, 4, true));
  EXPECT_EQ(packed[1].first, 6U);
  EXPECT_EQ(packed[1].members, 0b11U);
}

}  // namespace
}  // namespace tc::tmem::bank_schedule_test
