// SPDX-License-Identifier: Apache-2.0
#include "metric_table.hpp"

#include <fstream>
#include <iterator>
#include <set>

#include <gtest/gtest.h>

#include "sql_expression.hpp"
#include "workload.hpp"

namespace tcsim::metric_table_test {
namespace {

TEST(metric_table, has_names_once_and_expressions_of_its_own_metrics) {
  std::set<std::string> seen;
  std::vector<std::string> names;
  for (const known_metric& known : metric_table()) {
    EXPECT_TRUE(seen.insert(known.what.name).second) << known.what.name;
    names.push_back(known.what.name);
  }
  for (const known_metric& known : metric_table()) {
    if (known.what.from != metric::origin::expression) continue;
    EXPECT_NO_THROW(sql_expression(known.what.source, names)) << known.what.name;
  }
}

TEST(metric_table, has_metrics_for_each_kind_of_workload) {
  for (const std::string& kind : workload_kinds()) EXPECT_FALSE(default_metrics({kind}).empty()) << kind;
}

TEST(metric_table, ranks_a_deviation_by_its_distance_from_0) {
  EXPECT_EQ(find_known_metric("bias_ulp")->what.better, metric_preference::nearest_zero);
  EXPECT_EQ(find_known_metric("cycles")->what.better, metric_preference::less);
  EXPECT_EQ(find_known_metric("macs_per_cycle")->what.better, metric_preference::more);
}

TEST(metric_table, is_in_the_documentation) {
  std::ifstream in(TC_SOURCE_DIR "/docs/sweeps.md");
  const std::string page{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  for (const known_metric& known : metric_table()) {
    if (known.what.name.rfind("stall_", 0) == 0) continue;  // one row says what they are
    EXPECT_NE(page.find("| `" + known.what.name + "` |"), std::string::npos) << known.what.name;
  }
}

}  // namespace
}  // namespace tcsim::metric_table_test
