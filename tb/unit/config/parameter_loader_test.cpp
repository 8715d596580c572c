// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <scratch_folder.hpp>
#include <string>

#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>
#include <tc/config/parameter_loader.hpp>

#include "sample_machine.hpp"

namespace parameter_loader_test {

namespace {

/// Files in a folder of their own.
class parameter_loader : public testing::Test {
 protected:
  parameter_loader() { std::filesystem::create_directories(folder_.path() / "parts"); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_.path() / name) << text; }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  sample::machine load(const std::string& name) const { return tc::config::load_parameters<sample::machine>(path(name)); }
  std::string load_error(const std::string& name) const {
    return error_of([&] { load(name); });
  }

 private:
  scratch_folder folder_;
};

}  // namespace

TEST_F(parameter_loader, reads_the_included_file_first) {
  write("base.json", R"({"name": "base", "bias": 1, "tensor": {"scale": 3}})");
  write("machine.json", R"({"include": "base.json", "name": "machine", "tensor": {"mode": "toward_zero"}})");
  const auto m = load("machine.json");
  EXPECT_EQ(m.name, "machine");
  EXPECT_EQ(m.bias, 1);
  EXPECT_EQ(m.tensor.scale, 3.0);
  EXPECT_EQ(m.tensor.mode, sample::rounding::toward_zero);
}

TEST_F(parameter_loader, includes_several_files_in_order_and_relative_to_the_including_one) {
  write("parts/a.json", R"({"bias": 1, "clock_mhz": 1})");
  write("parts/b.json", R"({"include": ["c.json"], "bias": 2})");
  write("parts/c.json", R"({"bias": 3, "memory_bytes": 3})");
  write("machine.json", R"({"include": ["parts/a.json", "parts/b.json"]})");
  const auto m = load("machine.json");
  EXPECT_EQ(m.bias, 2);
  EXPECT_EQ(m.clock_mhz, 1.0);
  EXPECT_EQ(m.memory_bytes, 3U);
}

TEST_F(parameter_loader, allows_one_file_twice_but_no_cycle) {
  write("base.json", R"({"bias": 1})");
  write("a.json", R"({"include": "base.json"})");
  write("twice.json", R"({"include": ["a.json", "base.json"]})");
  EXPECT_EQ(load("twice.json").bias, 1);
  write("x.json", R"({"include": "parts/y.json"})");
  write("parts/y.json", "{\n \"include\": \"../x.json\"}");
  EXPECT_EQ(load_error("x.json"),
            path("parts/y.json") + ":2:2: include: \"" + path("x.json") + "\" includes itself, directly or through other files");
  write("self.json", R"({"include": "self.json"})");
  EXPECT_NE(load_error("self.json").find("includes itself"), std::string::npos);
}

TEST_F(parameter_loader, bounds_how_often_files_are_included) {
  write("10.json", R"({"bias": 1})");
  for (int i = 9; i >= 0; --i) {
    const std::string next = std::to_string(i + 1) + ".json";
    write(std::to_string(i) + ".json", R"({"include": [")" + next + R"(", ")" + next + R"("]})");
  }
  EXPECT_EQ(load("4.json").bias, 1);
  EXPECT_NE(load_error("0.json").find("include: more than 1000 files would be read"), std::string::npos);
}

TEST_F(parameter_loader, reports_a_bad_include) {
  write("missing.json", R"({"include": "nothing.json"})");
  EXPECT_EQ(load_error("missing.json"), path("missing.json") + ":1:2: include: there is no file \"" + path("nothing.json") +
                                            "\", nor a built-in configuration of the name \"nothing.json\"");
  write("number.json", R"({"include": [1]})");
  EXPECT_EQ(load_error("number.json"), path("number.json") + ":1:2: include: expected a file name or a list of file names");
  write("late.json", R"({"bias": 1, "include": "number.json"})");
  EXPECT_NE(load_error("late.json").find("include: must be the first key"), std::string::npos);
}

TEST_F(parameter_loader, names_the_included_file_in_its_errors) {
  write("base.json", "{\n\"bias\": true}");
  write("machine.json", R"({"include": "base.json"})");
  EXPECT_EQ(load_error("machine.json").find(path("base.json") + ":2:1: bias: expected an integer"), 0U);
  write("base.json", "{,}");
  EXPECT_EQ(load_error("machine.json"), path("base.json") + ":1:2: configuration: syntax error at `,}`");
}

TEST_F(parameter_loader, validates_once_all_files_are_read) {
  write("base.json", "{\n\"tensor\": {\"threadgroups\": [{\"units\": 0}]}}");
  write("machine.json", R"({"include": "base.json", "tensor": {"threadgroups": [{"units": 1}]}})");
  EXPECT_NO_THROW(load("machine.json"));
  write("machine.json", R"({"include": "base.json", "bias": 1})");
  EXPECT_EQ(load_error("machine.json"), path("base.json") + ":2:30: tensor.threadgroups[0].units: must be positive");
}

TEST(validation, runs_the_innermost_rules_first) {
  EXPECT_EQ(file_error(R"({"tensor": {"threadgroups": [{"units": 40}, {"units": 0}]}})"),
            "m.json:1:46: tensor.threadgroups[1].units: must be positive");
  EXPECT_EQ(file_error(R"({"tensor": {"threadgroups": [{"units": 40}]}})"), "m.json:1:2: tensor: more than 32 units in all");
}

TEST(validation, reaches_table_entries) {
  EXPECT_EQ(file_error(R"({"pipes": {"IMAD": {"units": 0}}})"), "m.json:1:21: pipes.IMAD.units: must be positive");
}

TEST(validation, names_the_assignment_that_broke_a_rule) {
  EXPECT_EQ(set_error("tensor.threadgroups[1].units=0"),
            "--set tensor.threadgroups[1].units=0: tensor.threadgroups[1].units: must be positive");
  EXPECT_EQ(error_of([] { machine_from(R"({"tensor": {"threadgroups": [{"units": 1}]}})", {R"(tensor.threadgroups=[{"units": 0}])"}); }),
            R"(--set tensor.threadgroups=[{"units": 0}]: tensor.threadgroups[0].units: must be positive)");
}

TEST(validation, names_the_list_that_replaced_another) {
  const auto first = tc::config::json_document::parse("{\"tensor\": {\"threadgroups\": [{\"units\": 33}]}}", "first.json");
  const auto second = tc::config::json_document::parse("{\"tensor\": {\"threadgroups\": [{}, {\"units\": 0}]}}", "second.json");
  const std::string error = error_of([&] { tc::config::make_parameters<sample::machine>({first, second}); });
  EXPECT_EQ(error, "second.json:1:35: tensor.threadgroups[1].units: must be positive");
}

TEST_F(parameter_loader, names_the_file_that_ought_to_have_set_what_nothing_sets) {
  write("price.json", "{}");
  write("machine.json", R"({"include": "price.json"})");
  EXPECT_EQ(error_of([&] { tc::config::load_machine(path("machine.json")); }).find(path("machine.json") + ":1:1: architectures: "), 0U);
}

TEST(validation, falls_back_to_the_record_around_a_default) {
  tc::config::parameter_origins origins;
  origins.add(tc::config::json_document::parse("{\n\"tensor\": {}}", "m.json"));
  EXPECT_STREQ(origins.locate({"tensor.shape[0]", "is odd"}).what(), "m.json:2:1: tensor.shape[0]: is odd");
  EXPECT_STREQ(origins.locate({"bias", "is odd"}).what(), "bias: is odd");
}

}  // namespace parameter_loader_test
