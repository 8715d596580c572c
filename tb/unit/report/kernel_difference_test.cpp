// SPDX-License-Identifier: Apache-2.0
#include "kernel_difference.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "run_difference.hpp"

namespace tcsim::kernel_difference_test {
namespace {

namespace json = boost::json;

json::object kernel(const char* name, unsigned cycles, unsigned instructions = 100, unsigned grid = 1) {
  return {{"kernel", name}, {"cycles", cycles}, {"instructions", instructions}, {"grid", json::array{grid, 1, 1}}};
}

json::object varied(const char* name, const std::vector<unsigned>& cycles) {
  return {{"kernel", name}, {"cycles", json::value_from(cycles)}};
}

/// Statistics of two kernels, the first of which takes these cycles in runs of the seeds from `first_seed`.
json::object statistics(const std::vector<unsigned>& cycles, unsigned first_seed = 1) {
  json::array seeds;
  for (unsigned i = 0; i < cycles.size(); ++i) seeds.emplace_back(first_seed + i);
  json::object document{{"cycles", 300},
                        {"config", {{"jitter", {{"seed", 0}, {"start_cycles", 1}}}}},
                        {"kernels", {kernel("one", 100), kernel("two", 200)}},
                        {"stalls", json::object()},
                        {"issue_slots", json::object()},
                        {"units", json::object()}};
  if (!cycles.empty())
    document["jitter"] = {{"seeds", std::move(seeds)},
                          {"kernels", {varied("one", cycles), varied("two", std::vector<unsigned>(cycles.size(), 200))}}};
  return document;
}

const std::vector<unsigned> low{100, 102, 101, 104, 103}, high{106, 105, 108, 107, 109}, between{99, 102, 105, 103, 101};

bool has_remark(const run_difference& difference, const char* part) {
  return std::any_of(difference.remarks.begin(), difference.remarks.end(),
                     [&](const std::string& each) { return each.find(part) != std::string::npos; });
}

}  // namespace

TEST(kernel_difference, pairs_kernels_by_name) {
  json::object b = statistics(high);
  for (json::object* const of : {&b, &b.at("jitter").as_object()})
    std::reverse(of->at("kernels").as_array().begin(), of->at("kernels").as_array().end());
  const auto kernels = compare_kernels(statistics(low), b);
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].kernel, "one");
  EXPECT_EQ(kernels[0].a->median(), 102);
  EXPECT_EQ(kernels[0].b->median(), 107);
  EXPECT_EQ(kernels[0].chance.verdict, chance_verdict::real);
  EXPECT_EQ(kernels[1].b->median(), 200);
  EXPECT_EQ(kernels[1].chance.verdict, chance_verdict::within_chance);
}

TEST(kernel_difference, pairs_kernels_of_one_name_in_their_order) {
  json::object a = statistics({}), b = statistics({});
  a["kernels"] = {kernel("k", 1), kernel("k", 2)};
  b["kernels"] = {kernel("k", 3), kernel("k", 4), kernel("k", 5)};
  const auto kernels = compare_kernels(a, b);
  ASSERT_EQ(kernels.size(), 3U);
  EXPECT_EQ(kernels[0].b->cycles, 3);
  EXPECT_EQ(kernels[1].b->cycles, 4);
  EXPECT_EQ(kernels[2].not_compared, "only in B");
}

TEST(kernel_difference, does_not_compare_kernels_of_one_run_or_of_another_launch) {
  json::object b = statistics(high);
  b["kernels"] = {kernel("one", 100, 100, 2), kernel("three", 5)};
  const auto kernels = compare_kernels(statistics(low), b);
  ASSERT_EQ(kernels.size(), 3U);
  EXPECT_EQ(kernels[0].not_compared, "another launch: grid [1,1,1] and [2,1,1]");
  EXPECT_EQ(kernels[1].not_compared, "only in A");
  EXPECT_EQ(kernels[2].not_compared, "only in B");
  EXPECT_TRUE(differences_of_runs(statistics(low), b).is_beyond_chance());
}

TEST(kernel_difference, says_that_machines_ran_other_code) {
  json::object b = statistics(high);
  b["kernels"] = {kernel("one", 100, 120), kernel("two", 200)};
  const auto kernels = compare_kernels(statistics(low), b);
  EXPECT_EQ(kernels[0].other_code, "100 and 120 instructions");
  EXPECT_TRUE(kernels[0].is_compared());
  EXPECT_EQ(kernels[1].other_code, "");
}

TEST(kernel_difference, leaves_the_plain_run_of_older_statistics_out) {
  const auto kernels = compare_kernels(statistics({900, 100, 102, 101, 104, 103}, 0), statistics(low));
  EXPECT_EQ(kernels[0].a->varied_cycles.size(), 5U);
  EXPECT_EQ(kernels[0].a->most(), 104);
}

TEST(kernel_difference, decides_whether_runs_differ_by_more_than_chance) {
  json::object plain = statistics(between);
  plain["cycles"] = 301;
  EXPECT_TRUE(differences_of_runs(statistics(low), statistics(high)).is_beyond_chance());
  EXPECT_FALSE(differences_of_runs(statistics(low), plain).is_beyond_chance()) << "but for the plain run";
  EXPECT_TRUE(differences_of_runs(statistics({1, 2, 3}), statistics({1, 2, 4})).is_beyond_chance()) << "too few to tell";
  plain["warnings"] = json::array{"reads too early"};
  EXPECT_TRUE(differences_of_runs(statistics(low), plain).is_beyond_chance());
  EXPECT_FALSE(differences_of_runs(statistics({}), statistics({})).is_beyond_chance());
}

TEST(kernel_difference, remarks_what_part_chance_had) {
  json::object single = statistics({}), other = statistics(high), seeded = statistics({});
  single["cycles"] = 310;
  other.at("config").at("jitter").as_object()["start_cycles"] = 9;
  seeded.at("config").at("jitter").as_object()["seed"] = 3;
  EXPECT_TRUE(has_remark(differences_of_runs(statistics({}), single), "Each is a single run"));
  EXPECT_TRUE(has_remark(differences_of_runs(statistics(low), single), "Only A has runs varied by chance"));
  EXPECT_TRUE(has_remark(differences_of_runs(statistics(low), other), "by other amounts"));
  EXPECT_TRUE(has_remark(differences_of_runs(statistics({}), seeded), "B is a run varied by chance"));
  EXPECT_TRUE(differences_of_runs(statistics(low), statistics(high)).remarks.empty());
}

TEST(kernel_difference, has_what_limits_each) {
  json::object a = statistics({}), b = statistics({});
  a["limits"] = json::array{json::object{{"text", "tensor cores: in use"}}};
  EXPECT_EQ(differences_of_runs(a, b).a_limit, "tensor cores: in use");
  EXPECT_EQ(differences_of_runs(a, b).b_limit, std::nullopt);
}

}  // namespace tcsim::kernel_difference_test
