// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/importers/import_report.hpp>

namespace tc::importers::import_report_test {
namespace {

TEST(import_report, counts_gaps_by_kind_and_keeps_the_place_of_the_first) {
  import_report first, second;
  first.add_instruction();
  first.add_gap("opcode A", "NOP", "a", 4);
  second.add_gap("opcode A", "NOP", "b", 7);
  second.add_gap("opcode A", "nothing", "b", 8);
  first.add(second);

  ASSERT_EQ(first.gaps().size(), 2U);
  EXPECT_EQ(first.gaps()[0].count, 2U);
  EXPECT_EQ(first.gaps()[0].example, "a:4");
  EXPECT_EQ(first.gaps()[1].count, 1U);
  EXPECT_EQ(first.gaps()[1].example, "b:8");
  EXPECT_EQ(first.instructions(), 1U);
}

}  // namespace
}  // namespace tc::importers::import_report_test
