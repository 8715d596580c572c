// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include <tc/config/parameter_reader.hpp>

#include "sample_machine.hpp"

namespace parameter_reader_test {

TEST(parameter_reader, keeps_defaults_of_members_that_are_not_named) {
  const auto m = machine_from(R"({"tensor": {"mode": "toward_zero"}})");
  EXPECT_EQ(m.tensor.mode, sample::rounding::toward_zero);
  EXPECT_EQ(m.tensor.threadgroups.size(), 2U);
  EXPECT_EQ(m.name, "unnamed");
  EXPECT_EQ(m.clock_mhz, 1000.0);
}

TEST(parameter_reader, reads_every_kind) {
  const auto m = machine_from(R"({"name": "x", "ideal_fetch": false, "clock_mhz": 12, "memory_bytes": 18446744073709551615, "bias": -1,
      "tensor": {"threadgroups": [{"units": 2, "offset": -128}], "scale": 0.5, "shape": [1, -2]}})");
  EXPECT_EQ(m.name, "x");
  EXPECT_FALSE(m.ideal_fetch);
  EXPECT_EQ(m.clock_mhz, 12.0);
  EXPECT_EQ(m.memory_bytes, 18446744073709551615U);
  EXPECT_EQ(m.bias, -1);
  ASSERT_EQ(m.tensor.threadgroups.size(), 1U);
  EXPECT_EQ(m.tensor.threadgroups[0].units, 2U);
  EXPECT_EQ(m.tensor.threadgroups[0].offset, -128);
  EXPECT_EQ(m.tensor.scale, 0.5);
  EXPECT_EQ(m.tensor.shape, (std::array<int, 2>{1, -2}));
}

TEST(parameter_reader, replaces_lists_and_gives_new_elements_their_defaults) {
  const auto m = machine_from(R"({"tensor": {"threadgroups": [{"offset": 1}, {}, {"units": 8}]}})");
  ASSERT_EQ(m.tensor.threadgroups.size(), 3U);
  EXPECT_EQ(m.tensor.threadgroups[0].units, 4U);
  EXPECT_EQ(m.tensor.threadgroups[1].offset, 0);
  EXPECT_EQ(m.tensor.threadgroups[2].units, 8U);
}

TEST(parameter_reader, adds_to_tables_and_updates_their_entries) {
  const auto m = machine_from(R"({"pipes": {"FFMA": {"offset": 2}, "IMAD.WIDE": {"units": 1}}, "latency_cycles": {"HMMA.884": 9}})");
  EXPECT_EQ(m.pipes.at("FFMA").units, 16U);
  EXPECT_EQ(m.pipes.at("FFMA").offset, 2);
  EXPECT_EQ(m.pipes.at("IMAD.WIDE").units, 1U);
  EXPECT_EQ(m.latency_cycles.at("HMMA.884"), 9U);
}

TEST(parameter_reader, null_empties_an_optional) {
  EXPECT_FALSE(machine_from(R"({"tensor": {"scale": null}})", {}).tensor.scale.has_value());
}

TEST(parameter_reader, accepts_integers_written_as_exact_reals) {
  EXPECT_EQ(machine_from(R"({"memory_bytes": 1e3})").memory_bytes, 1000U);
  EXPECT_EQ(machine_from(R"({"bias": -2.0})").bias, -2);
}

TEST(parameter_reader, rejects_unknown_keys_with_the_known_ones) {
  EXPECT_EQ(file_error("{\n \"tensor\": {\"threadgroups\": [{}, {\"unit\": 1}]}}"),
            "m.json:2:35: tensor.threadgroups[1]: unknown key \"unit\"; did you mean \"units\"? known keys: units, offset");
  EXPECT_EQ(
      file_error(R"({"colour": 1})"),
      "m.json:1:2: configuration: unknown key \"colour\"; known keys: name, ideal_fetch, clock_mhz, memory_bytes, bias, tensor, pipes, "
      "latency_cycles");
}

TEST(parameter_reader, rejects_unknown_enumerators_with_the_known_ones) {
  EXPECT_EQ(
      file_error(R"({"tensor": {"mode": "towards_zero"}})"),
      "m.json:1:13: tensor.mode: unknown value \"towards_zero\"; did you mean \"toward_zero\"? known values: nearest_even, toward_zero");
  EXPECT_EQ(file_error(R"({"tensor": {"mode": 1}})"), "m.json:1:13: tensor.mode: expected one of nearest_even, toward_zero, got 1");
}

TEST(parameter_reader, says_what_it_expected_instead_of_a_mistyped_value) {
  EXPECT_EQ(file_error("[]"), "m.json:1:1: configuration: expected an object, got an array");
  EXPECT_EQ(file_error(R"({"tensor": 1})"), "m.json:1:2: tensor: expected an object, got 1");
  EXPECT_EQ(file_error(R"({"pipes": null})"), "m.json:1:2: pipes: expected an object, got null");
  EXPECT_EQ(file_error(R"({"tensor": {"threadgroups": {}}})"), "m.json:1:13: tensor.threadgroups: expected an array, got an object");
  EXPECT_EQ(file_error(R"({"tensor": {"shape": [1, "two"]}})"),
            "m.json:1:26: tensor.shape[1]: expected an integer from -2147483648 to 2147483647, got \"two\"");
  EXPECT_EQ(file_error(R"({"tensor": {"shape": [1]}})"), "m.json:1:13: tensor.shape: expected 2 elements, got 1");
  EXPECT_EQ(file_error(R"({"ideal_fetch": 1})"), "m.json:1:2: ideal_fetch: expected true or false, got 1");
  EXPECT_EQ(file_error(R"({"clock_mhz": "fast"})"), "m.json:1:2: clock_mhz: expected a number, got \"fast\"");
  EXPECT_EQ(file_error(R"({"name": 7})"), "m.json:1:2: name: expected a string, got 7");
  EXPECT_EQ(file_error(R"({"tensor": {"scale": true}})"), "m.json:1:13: tensor.scale: expected a number, got true");
  EXPECT_EQ(file_error(R"({"latency_cycles": {"HMMA.884": []}})"),
            "m.json:1:21: latency_cycles[HMMA.884]: expected an integer from 0 to 4294967295, got an array");
}

TEST(parameter_reader, rejects_integers_that_do_not_fit) {
  EXPECT_EQ(file_error(R"({"tensor": {"threadgroups": [{"units": 1.5}]}})"),
            "m.json:1:31: tensor.threadgroups[0].units: expected an integer from 0 to 4294967295, got 1.5");
  for (const char* value : {"-1", "4294967296", "18446744073709551616", "-9223372036854775809", "1e300"})
    EXPECT_NE(file_error(std::string(R"({"tensor": {"threadgroups": [{"units": )") + value + "}]}}").find("from 0 to 4294967295"),
              std::string::npos)
        << value;
  for (const char* value : {"-129", "128", "18446744073709551615"})
    EXPECT_NE(file_error(std::string(R"({"tensor": {"threadgroups": [{"offset": )") + value + "}]}}").find("from -128 to 127"),
              std::string::npos)
        << value;
}

}  // namespace parameter_reader_test
