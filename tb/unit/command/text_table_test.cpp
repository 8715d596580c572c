// SPDX-License-Identifier: Apache-2.0
#include "text_table.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace text_table_test {

using tcsim::text_table;

TEST(text_table, aligns_columns) {
  text_table table({text_table::align::left, text_table::align::right, text_table::align::left});
  table.add({"cycles", "7", "x"});
  table.add({"", "1234", ""});
  EXPECT_EQ(table.text(1), " cycles     7  x\n         1234\n");
}

TEST(text_table, refuses_rows_of_another_width) {
  text_table table({text_table::align::left});
  EXPECT_THROW(table.add({"a", "b"}), std::logic_error);
}

}  // namespace text_table_test
