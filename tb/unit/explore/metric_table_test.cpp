// SPDX-License-Identifier: Apache-2.0
#include "metric_table.hpp"

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include <tc/config/machine.hpp>
#include <tc/config/parameter_list.hpp>
#include <tc/links/stall_cause.hpp>

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

std::string page_of(const std::string& name) {
  std::ifstream in(std::string(TC_SOURCE_DIR "/docs/") + name);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(metric_table, has_a_row_for_each_cause_of_a_stall_in_the_documentation) {
  const std::string page = page_of("stalls.md");
  for (const auto& row : tc::links::stall_cause_table) {
    const bool is_issue = row.cause == tc::links::stall_cause::none;
    const std::string key(row.key), metric = is_issue ? "instructions" : "stall_" + key;
    EXPECT_NE(page.find("| " + std::string(row.text) + " | `" + key + "` | `" + metric + "` |"), std::string::npos) << key;
    EXPECT_NE(find_known_metric(metric), nullptr) << metric;
  }
}

TEST(metric_table, and_the_machine_have_what_the_page_on_stalls_names) {
  const std::string page = page_of("stalls.md");
  std::set<std::string> paths;
  for (const auto& row : tc::config::list_parameters<tc::config::machine>()) paths.insert(row.path);
  const std::regex quoted("`((sm|global_memory)\\.[a-z0-9_.]+)`|`([a-z0-9]+_[a-z0-9_]+)`");
  for (std::sregex_iterator each(page.begin(), page.end(), quoted), end; each != end; ++each) {
    const std::string path = (*each)[1], word = (*each)[3];
    EXPECT_TRUE(path.empty() || paths.count(path) == 1) << path;
    const bool is_known =
        word.empty() || find_known_metric(word) != nullptr || tc::links::find_stall_cause(word) || word == "a_buffer" || word == "b_buffer";
    EXPECT_TRUE(is_known) << word;
  }
}

TEST(metric_table, is_in_the_documentation) {
  const std::string page = page_of("sweeps.md");
  for (const known_metric& known : metric_table()) {
    if (known.what.name.rfind("stall_", 0) == 0) continue;  // one row says what they are
    EXPECT_NE(page.find("| `" + known.what.name + "` |"), std::string::npos) << known.what.name;
  }
}

}  // namespace
}  // namespace tcsim::metric_table_test
