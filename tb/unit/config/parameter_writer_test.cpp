// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <tc/config/json_text.hpp>
#include <tc/config/parameter_writer.hpp>

#include "sample_machine.hpp"

namespace parameter_writer_test {

TEST(parameter_writer, writes_numbers_naturally_and_members_in_order) {
  EXPECT_EQ(tc::config::to_text(sample::machine{}), R"({
  "name": "unnamed",
  "ideal_fetch": true,
  "clock_mhz": 1000.0,
  "memory_bytes": 1,
  "bias": 0,
  "tensor": {
    "threadgroups": [
      {"units": 4, "offset": 0},
      {"units": 4, "offset": 4}
    ],
    "mode": "nearest_even",
    "scale": null,
    "shape": [8, 8]
  },
  "pipes": {
    "FFMA": {"units": 16, "offset": 0}
  },
  "latency_cycles": {"HMMA.884": 8}
}
)");
}

TEST(parameter_writer, writes_what_loads_back_unchanged) {
  sample::machine m;
  m.name = "quote \" backslash \\ newline \n and \xc3\xa9";
  m.clock_mhz = 0.1 + 0.2;
  m.memory_bytes = std::numeric_limits<std::uint64_t>::max();
  m.bias = std::numeric_limits<std::int64_t>::min();
  m.tensor.scale = 5e-324;
  m.tensor.threadgroups.clear();
  m.pipes = {{"a.b", {1, -128}}, {"FFMA", {1, 127}}};
  const std::string text = tc::config::to_text(m);
  const auto again = machine_from(text);
  EXPECT_EQ(tc::config::to_text(again), text);
  EXPECT_EQ(again.name, m.name);
  EXPECT_EQ(again.clock_mhz, m.clock_mhz);
  EXPECT_EQ(again.memory_bytes, m.memory_bytes);
  EXPECT_EQ(again.bias, m.bias);
  EXPECT_EQ(again.tensor.scale, m.tensor.scale);
  EXPECT_TRUE(again.tensor.threadgroups.empty());
  EXPECT_EQ(again.pipes.at("a.b").offset, -128);
}

TEST(json_text, writes_doubles_as_short_as_they_can_be_read_back) {
  const auto text = [](double number) { return tc::config::compact_text(number); };
  EXPECT_EQ(text(1.0), "1.0");
  EXPECT_EQ(text(-0.1), "-0.1");
  EXPECT_EQ(text(1e300), "1e+300");
  EXPECT_EQ(text(123456789.0), "123456789.0");
  EXPECT_THROW(text(std::numeric_limits<double>::infinity()), tc::config::config_error);
  EXPECT_THROW(text(std::numeric_limits<double>::quiet_NaN()), tc::config::config_error);
}

TEST(json_text, breaks_lines_that_are_too_long) {
  const boost::json::array numbers(60, 1);
  EXPECT_EQ(tc::config::pretty_text(boost::json::array(3, 1)), "[1, 1, 1]\n");
  EXPECT_EQ(tc::config::pretty_text(numbers).rfind("[\n  1, 1, 1,", 0), 0U);
  EXPECT_EQ(tc::config::pretty_text(boost::json::object()), "{}\n");
  EXPECT_EQ(tc::config::pretty_text(boost::json::parse("[[]]")), "[\n  []\n]\n");
}

TEST(json_text, replaces_bytes_that_are_not_utf8) {
  const std::string bad = "caf\xef\xbf\xbd";
  EXPECT_EQ(tc::config::compact_text(boost::json::object{{"caf\xe9", "a/caf\xe9"}}), "{\"" + bad + "\": \"a/" + bad + "\"}");
  EXPECT_EQ(tc::config::compact_text("caf\xc3\xa9"), "\"caf\xc3\xa9\"");
}

}  // namespace parameter_writer_test
