// SPDX-License-Identifier: Apache-2.0
#include "sweep_axis_values.hpp"

#include <string>

#include <gtest/gtest.h>

#include <tc/config/json_text.hpp>

namespace tcsim::sweep_axis_values_test {
namespace {

/// The values of an axis, or what is wrong with it.
std::string values_of(const std::string& axis) {
  const auto document = tc::config::json_document::parse(axis, "s.json");
  try {
    boost::json::array values;
    const std::vector<axis_value> read = axis_values(file_value(document));
    require_distinct({&read});
    for (const axis_value& value : read) values.push_back(value.value);
    return tc::config::compact_text(values);
  } catch (const tc::config::config_error& error) {
    return error.what();
  }
}

TEST(sweep_axis_values, are_listed) {
  EXPECT_EQ(values_of(R"({"values": [1, 2.5, "a", true]})"), R"([1, 2.5, "a", true])");
  EXPECT_EQ(values_of(R"({"bases": ["turing", "ampere"]})"), R"(["turing", "ampere"])");
}

TEST(sweep_axis_values, are_a_range_with_both_ends) {
  EXPECT_EQ(values_of(R"({"range": {"from": 1, "to": 4}})"), "[1, 2, 3, 4]");
  EXPECT_EQ(values_of(R"({"range": {"from": 9, "to": 4, "step": -2}})"), "[9, 7, 5]");
  EXPECT_EQ(values_of(R"({"range": {"from": 0.0, "to": 0.4, "step": 0.1}})"), "[0.0, 0.1, 0.2, 0.3, 0.4]");
  EXPECT_EQ(values_of(R"({"range": {"from": 7, "to": 7}})"), "[7]");
}

TEST(sweep_axis_values, are_a_logarithmic_range_with_both_ends) {
  EXPECT_EQ(values_of(R"({"log_range": {"from": 1, "to": 1000, "factor": 10}})"), "[1, 10, 100, 1000]");
  EXPECT_EQ(values_of(R"({"log_range": {"from": 64, "to": 7, "factor": 0.5}})"), "[64, 32, 16, 8]");
  EXPECT_EQ(values_of(R"({"log_range": {"from": 1, "to": 5, "factor": 1.5}})"), "[1.0, 1.5, 2.25, 3.375]");
}

TEST(sweep_axis_values, are_relative) {
  EXPECT_EQ(values_of(R"({"values": ["x0.5", "x1", 3]})"), R"(["x0.5", "x1", 3])");
  EXPECT_EQ(values_of(R"({"log_range": {"from": "x0.25", "to": "x2"}})"), R"(["x0.25", "x0.5", "x1", "x2"])");
  EXPECT_EQ(values_of(R"({"range": {"from": "x1", "to": "x2", "step": 0.5}})"), R"(["x1", "x1.5", "x2"])");
  EXPECT_EQ(relative_factor("x0.5"), 0.5);
  for (const char* const other : {"x", "0.5", "x0.5x", "x-1", "xnan", "64x64"}) EXPECT_FALSE(relative_factor(other)) << other;
  EXPECT_EQ(multiple_of(4, 0.5), 2);
  EXPECT_EQ(multiple_of(1.5, 0.5), 0.75);
  EXPECT_EQ(tc::config::compact_text(multiple_of(1590.0, 0.5)), "795");
}

TEST(sweep_axis_values, are_values_and_different_ones) {
  EXPECT_EQ(values_of(R"({"values": []})"), "s.json:1:2: values: an axis needs at least one value");
  EXPECT_EQ(values_of(R"({"values": [1, [2]]})"), "s.json:1:16: values[1]: a value of an axis is a number, a string or a boolean");
  EXPECT_EQ(values_of(R"({"values": [1, 2, 1.0]})"), "s.json:1:19: values[2]: 1.0 stands here twice");
  EXPECT_EQ(values_of(R"({"values": [1], "bases": ["a"]})"),
            "s.json:1:1: sweep: an axis has one of the keys values, range, log_range, bases");
  EXPECT_EQ(values_of(R"({"bases": [1]})"), "s.json:1:12: bases[0]: expected a string, got 1");
}

TEST(sweep_axis_values, are_a_million_or_fewer) {
  const auto axis = [](const std::string& text) {
    const auto document = tc::config::json_document::parse(text, "s.json");
    return axis_values(file_value(document)).size();
  };
  EXPECT_EQ(axis(R"({"range": {"from": 1, "to": 1000000}})"), most_axis_values);
  EXPECT_EQ(values_of(R"({"range": {"from": 1, "to": 1000001}})"), "s.json:1:2: range: an axis has at most 1000000 values");
  EXPECT_EQ(values_of(R"({"log_range": {"from": 1, "to": 1e300, "factor": 1.0000001}})"),
            "s.json:1:2: log_range: an axis has at most 1000000 values");
  std::string listed = "{\"values\": [1";
  for (std::size_t i = 1; i < most_axis_values; ++i) listed += ",1";
  EXPECT_EQ(axis(listed + "]}"), most_axis_values);
  EXPECT_EQ(values_of(listed + ",1]}"), "s.json:1:2: values: an axis has at most 1000000 values");
}

TEST(sweep_axis_values, lead_from_the_beginning_of_a_range_to_its_end) {
  EXPECT_EQ(values_of(R"({"range": {"from": 1, "to": 4, "step": 0}})"), "s.json:1:32: range.step: must not be 0");
  EXPECT_EQ(values_of(R"({"range": {"from": 4, "to": 1}})"), "s.json:1:2: range: steps of 1 do not lead from 4 to 1");
  EXPECT_EQ(values_of(R"({"range": {"from": 0, "to": 1e9}})"), "s.json:1:2: range: an axis has at most 1000000 values");
  EXPECT_EQ(values_of(R"({"range": {"from": 0, "stop": 1}})"),
            "s.json:1:23: range: unknown key \"stop\"; did you mean \"step\"? known keys: from, to, step");
  EXPECT_EQ(values_of(R"({"range": {"from": 0}})"), "s.json:1:2: range: \"to\" is missing");
  EXPECT_EQ(values_of(R"({"log_range": {"from": 0, "to": 8}})"), "s.json:1:16: log_range.from: must be positive");
  EXPECT_EQ(values_of(R"({"log_range": {"from": 1, "to": 8, "factor": 0.5}})"),
            "s.json:1:2: log_range: a factor of 0.5 does not lead from 1 to 8");
  EXPECT_EQ(values_of(R"({"log_range": {"from": 1, "to": 8, "factor": 1}})"), "s.json:1:36: log_range.factor: must not be 1");
}

}  // namespace
}  // namespace tcsim::sweep_axis_values_test
