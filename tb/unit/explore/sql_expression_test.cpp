// SPDX-License-Identifier: Apache-2.0
#include "sql_expression.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace tcsim::sql_expression_test {
namespace {

const std::vector<std::string> columns = {"banks", "collectors", "workload"};

/// "offset: message" of the mistake in an expression; "no mistake".
std::string mistake_in(const std::string& text) {
  try {
    const sql_expression expression(text, columns);
  } catch (const sql_error& error) {
    return std::to_string(error.offset()) + ": " + error.what();
  }
  return "no mistake";
}

TEST(sql_expression, knows_the_columns_it_uses) {
  EXPECT_EQ(sql_expression("collectors * \"Banks\" <= 16", columns).columns(), (std::vector<std::string>{"banks", "collectors"}));
  EXPECT_EQ(sql_expression("max(banks, 2) BETWEEN 1 AND log2(9) -- why", columns).columns(), std::vector<std::string>{"banks"});
  EXPECT_EQ(sql_expression("workload LIKE 'gemm%' AND banks IN (1, 2)", columns).columns(),
            (std::vector<std::string>{"banks", "workload"}));
}

TEST(sql_expression, says_where_a_mistake_is) {
  EXPECT_EQ(mistake_in("banks * bank < 4"),
            "8: unknown column \"bank\"; did you mean \"banks\"? known columns: banks, collectors, workload");
  EXPECT_EQ(mistake_in("banks = \"x\""), "8: unknown column \"x\"; known columns: banks, collectors, workload");
  EXPECT_EQ(mistake_in("banks < < 4"), "8: near \"<\": syntax error");
  EXPECT_EQ(mistake_in("banks *"), "7: the expression is not complete");
  EXPECT_EQ(mistake_in(""), "0: the expression is not complete");
  EXPECT_EQ(mistake_in("1 + floo(banks)").substr(0, 53), "4: unknown function \"floo\"; did you mean \"floor\"? kno");
  EXPECT_EQ(mistake_in("banks + :x"), "0: there are no parameters (?, :name, @name, $name) here");
}

TEST(sql_expression, is_one_expression_of_one_row) {
  EXPECT_EQ(mistake_in("banks) OR (1"), "5: near \")\": syntax error");
  EXPECT_EQ(mistake_in("banks ORDER BY 1"), "6: near \"ORDER\": syntax error");
  EXPECT_EQ(mistake_in("banks; DROP TABLE results"), "5: near \";\": syntax error");
  EXPECT_EQ(mistake_in("banks < (SELECT 1)"), "9: an expression has no SELECT in it");
  EXPECT_THROW(sql_expression("banks IN results", {"banks"}), sql_error);
  EXPECT_EQ(mistake_in("max(banks) < 3"), "0: misuse of aggregate function max()");
  EXPECT_EQ(mistake_in("banks + Random()").substr(0, 28), "8: unknown function \"random\"");
  EXPECT_EQ(mistake_in("banks + oid").substr(0, 26), "0: unknown column \"ROWID\";");
}

}  // namespace
}  // namespace tcsim::sql_expression_test
