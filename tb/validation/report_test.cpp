// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "fitted_parameters.hpp"

namespace tc::validation {
namespace {

source streams() {
  source of{"Hopper", "streams", "recorded", "How.", "cycles"};
  of.values = {{"exact", 64, basis::predicted, 64}, {"slow", 100, basis::fitted, 103}, {"missing", 58}};
  return of;
}

source replays() { return {"Arithmetic", "replays", "recorded", "How.", "outputs", 0, true}; }

std::vector<csv_line> reread(const std::vector<source>& sources) {
  std::istringstream csv(csv_text(csv_lines(sources)));
  return read_csv(csv);
}

TEST(score, counts_exact_values_and_errors_of_those_modelled) {
  score result;
  result.add(streams());
  EXPECT_EQ(result.values, 3U);
  EXPECT_EQ(result.unmodelled, 1U);
  EXPECT_EQ(result.fitted, 1U);
  EXPECT_EQ(result.exact, 1U);
  EXPECT_EQ(result.within_2, 1U);
  EXPECT_DOUBLE_EQ(result.mean_percent, 1.5);
  EXPECT_DOUBLE_EQ(result.worst_percent, 3);
}

TEST(score, tells_values_that_were_fitted_from_the_others) {
  score predicted, in_sample;
  predicted.add(streams(), basis::predicted);
  in_sample.add(streams(), basis::fitted);
  EXPECT_EQ(predicted.modelled(), 1U);
  EXPECT_DOUBLE_EQ(predicted.mean_percent, 0);
  EXPECT_EQ(in_sample.modelled(), 1U);
  EXPECT_DOUBLE_EQ(in_sample.mean_percent, 3);
}

TEST(headline, counts_each_source_once) {
  source many{"Hopper", "many", "recorded", "How.", "cycles"}, few{"Volta", "few", "recorded", "How.", "cycles"};
  many.values.assign(99, {"right", 100, basis::predicted, 100});
  many.values.push_back({"fitted", 100, basis::fitted, 101});
  few.values = {{"wrong", 100, basis::predicted, 110}};
  const std::string text = headline({many, few});
  EXPECT_NE(text.find("mean absolute error 5.0 % if each of 2 sources counts once"), std::string::npos) << text;
  EXPECT_NE(text.find("0.10 % if each of 100 values does"), std::string::npos) << text;
  EXPECT_NE(text.find("nothing was fitted to**, 1 of them: 10.0 %"), std::string::npos) << text;
  EXPECT_NE(text.find("1.0 % if each of 1 sources counts once, 1.00 % if each of 1 values does"), std::string::npos) << text;
}

TEST(markdown_report, says_what_carried_parameters_move) {
  carried_parameter moves{"volta", "sm.wait", 4, "something else", {2, 8}, {-5.81, 4.9}, 2.25}, still = moves, not_run = moves;
  still.changes = {0, 0};
  not_run.changes.clear();
  const std::string text = markdown_report({streams()}, {{}, {moves, still, not_run}});
  EXPECT_NE(text.find("| volta | `sm.wait` | 4 | something else | 2, 8 | -5.8 % to +4.9 % | 2.2 % |"), std::string::npos) << text;
  EXPECT_NE(text.find("| 2, 8 | nothing |"), std::string::npos);
  EXPECT_NE(text.find("| 2, 8 | not run: "), std::string::npos);
}

TEST(carried_parameters, are_those_that_were_fitted_to_another_generation) {
  const auto parameters = carried_parameters(std::string(TC_SOURCE_DIR) + "/configs");
  const auto count = [&](const char* path) {
    return std::count_if(parameters.begin(), parameters.end(), [path](const carried_parameter& p) { return p.path == path; });
  };
  EXPECT_EQ(count("sm.sub_core.issue.patience_cycles"), 5);
  for (const carried_parameter& p : parameters) {
    EXPECT_FALSE(p.fitted_to.empty()) << p.machine << ' ' << p.path;
    EXPECT_EQ(std::count(p.tried.begin(), p.tried.end(), p.value), 0) << p.machine << ' ' << p.path;
    EXPECT_FALSE(p.tried.empty()) << p.machine << ' ' << p.path;
  }
}

TEST(csv_report, names_the_values_that_moved) {
  const auto before = reread({streams()});
  EXPECT_TRUE(differences(before, csv_lines({streams()})).empty());
  source now = streams();
  now.values[1].model = 101;
  now.values[2].what = "other";
  const auto moved = differences(before, csv_lines({now}));
  ASSERT_EQ(moved.size(), 3U);
  EXPECT_EQ(moved[0], "Hopper: streams: slow: measured 100, the model gives 101 cycles instead of 103");
  EXPECT_EQ(moved[1], "Hopper: streams: other: is new");
  EXPECT_EQ(moved[2], "Hopper: streams: missing: is gone");
}

TEST(csv_report, carries_over_what_cannot_run) {
  source replayed = replays();
  replayed.values = {{"file", 500, basis::predicted, 499}};
  std::vector<source> sources{streams(), replays()};
  EXPECT_EQ(carry_over(sources, reread({streams(), replayed})), std::vector<std::string>{"Arithmetic: replays"});
  ASSERT_EQ(sources[1].values.size(), 1U);
  EXPECT_EQ(sources[1].values[0].measured, 500);
  EXPECT_EQ(sources[1].values[0].model, 499);
}

TEST(markdown_report, prints_every_value_with_its_error) {
  const std::string text = markdown_report({streams()}, {{{"hopper", "result_stages", "4", "fitted to something"}}, {}});
  EXPECT_NE(text.find("| exact | 64 | 64 | 0 | 0 % | predicted |"), std::string::npos) << text;
  EXPECT_NE(text.find("| slow | 100 | 103 | +3 | +3.0 % | fitted |"), std::string::npos);
  EXPECT_NE(text.find("| missing | 58 | not modelled |"), std::string::npos);
  EXPECT_NE(text.find("| hopper | `result_stages` | 4 | fitted to something |"), std::string::npos);
}

TEST(fitted_parameters, are_those_that_the_configurations_call_so) {
  const auto parameters = fitted_parameters(std::string(TC_SOURCE_DIR) + "/configs");
  const auto is_of_volta = [](const fitted_parameter& p) { return p.machine == "volta" && p.name == "result_stages" && p.value == "3"; };
  EXPECT_TRUE(std::any_of(parameters.begin(), parameters.end(), is_of_volta));
  for (const fitted_parameter& p : parameters) EXPECT_EQ(p.comment.find("carried over"), std::string::npos) << p.machine << ' ' << p.name;
}

}  // namespace
}  // namespace tc::validation
