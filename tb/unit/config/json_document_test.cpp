// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <tc/config/json_document.hpp>
#include <tc/config/json_text.hpp>

#include "sample_machine.hpp"

namespace json_document_test {

using tc::config::json_document;

namespace {

std::string parse_error(const std::string& text) {
  return error_of([&] { json_document::parse(text, "f.json"); });
}

}  // namespace

TEST(json_document, allows_comments_and_trailing_commas) {
  const auto document = json_document::parse("/* a */ {\"a\": [1, 2,], // b\n \"b\": {\"c\" /* d */ : \"x//y\",},}\n// end", "f.json");
  EXPECT_EQ(tc::config::compact_text(document.root()), R"({"a": [1, 2], "b": {"c": "x//y"}})");
}

TEST(json_document, knows_where_keys_and_elements_stand) {
  const auto document = json_document::parse("{\n  \"a\": [1,\n /* \" */ 2],\n  \"b.c\": {\"d\\\"e\": true} }", "f.json");
  const auto place = [&](const char* path) {
    const auto p = document.position_of(path);
    return std::to_string(p.line) + ":" + std::to_string(p.column);
  };
  EXPECT_EQ(place("a"), "2:3");
  EXPECT_EQ(place("a[0]"), "2:9");
  EXPECT_EQ(place("a[1]"), "3:10");
  EXPECT_EQ(place("[b.c]"), "4:3");
  EXPECT_EQ(place("[b.c][d\"e]"), "4:11");
  EXPECT_EQ(place("nowhere"), "0:0");
}

TEST(json_document, a_part_names_the_same_places) {
  const auto document = json_document::parse("{\n  \"a\": {\"b\": 1}}", "f.json");
  const auto part = document.part(document.root().at("a"), "a");
  EXPECT_EQ(part.path(), "a");
  EXPECT_EQ(part.root().at("b"), 1);
  EXPECT_EQ(part.position_of("a.b").column, 9U);
}

TEST(json_document, names_the_place_of_a_syntax_error) {
  EXPECT_EQ(parse_error("{\n  \"a\": nope}"), "f.json:2:8: configuration: syntax error at `nope}`");
  EXPECT_EQ(parse_error("{\"a\" 1}"), "f.json:1:6: configuration: syntax error at `1}`");
  EXPECT_EQ(parse_error("{\"a\": \"x\ny\"}"), "f.json:1:9: configuration: syntax error at the end of the line");
  EXPECT_EQ(parse_error("{} {}"), "f.json:1:4: configuration: extra data at `{}`");
}

TEST(json_document, reports_a_text_that_ends_too_early) {
  for (const char* text : {"", "{\"a\": 1", "{\"a\":\n", "{ /* open", "[1, 2"})
    EXPECT_NE(parse_error(text).find("the text ends before the JSON value is complete"), std::string::npos) << text;
  EXPECT_EQ(parse_error("{\n\"a\":"), "f.json:2:5: configuration: the text ends before the JSON value is complete");
}

TEST(json_document, rejects_duplicate_keys) {
  EXPECT_EQ(parse_error("{\"a\": 1,\n \"b\": {\"c\": 1,\n \"c\": 1}}"), "f.json:3:2: b.c: duplicate key, first given in line 2");
  EXPECT_EQ(parse_error(R"({"a": 1, "\u0061": 2})"), "f.json:1:10: a: duplicate key, first given in line 1");
}

// The parser keeps the last of them, which may be of another kind, or have fewer elements.
TEST(json_document, rejects_duplicate_keys_of_different_values) {
  const std::string message = ": a: duplicate key, first given in line 1";
  EXPECT_EQ(parse_error(R"({"a": "volta", "a": [1, {"b": 2}]})"), "f.json:1:16" + message);
  EXPECT_EQ(parse_error(R"({"a": [1, [2]], "a": "volta"})"), "f.json:1:17" + message);
  EXPECT_EQ(parse_error(R"({"a": [{"b": 1.5}, 2.5, 3.5], "a": [1]})"), "f.json:1:31" + message);
  EXPECT_EQ(parse_error(R"({"a": {"b": {"c": 1}}, "a": {}})"), "f.json:1:24" + message);
}

TEST(json_document, accepts_equal_keys_in_different_objects) { EXPECT_NO_THROW(json_document::parse(R"([{"a": 1}, {"a": 1}])", "f.json")); }

TEST(json_document, rejects_numbers_that_would_be_infinite) {
  EXPECT_EQ(parse_error("{\"a\": [1,\n -1e400]}"), "f.json:2:2: a[1]: -1e400 is too large for a number");
  EXPECT_EQ(json_document::parse("[1e-400]", "f.json").root().at(0).as_double(), 0.0);
}

TEST(json_document, rounds_doubles_correctly) {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> mantissa(1.0, 2.0);
  for (int i = 0; i < 2000; ++i) {
    const double expected = std::ldexp(mantissa(engine), static_cast<int>(engine() % 600) - 300);
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", expected);
    ASSERT_EQ(json_document::parse(text, "f.json").root().to_number<double>(), expected) << text;
  }
}

TEST(json_document, reads_files_of_up_to_16_mib) {
  const std::string file = testing::TempDir() + "tcsim-long.json";
  const auto write = [&](std::size_t bytes) { std::ofstream(file) << "{}" << std::string(bytes - 2, ' '); };
  write(json_document::max_file_bytes);
  EXPECT_NO_THROW(json_document::load(file));
  write(json_document::max_file_bytes + 1);
  EXPECT_EQ(error_of([&] { json_document::load(file); }), file + ": configuration: the file is longer than 16777216 bytes");
  std::remove(file.c_str());
  EXPECT_EQ(error_of([] { json_document::load("/dev/zero"); }), "/dev/zero: configuration: the file is longer than 16777216 bytes");
}

TEST(json_document, may_come_from_windows) {
  const std::string file = testing::TempDir() + "tcsim-windows.json";
  std::ofstream(file) << "\xef\xbb\xbf{\r\n  \"a\": 1,  // a comment\r\n  \"b\": 2\r\n}\r\n";
  const json_document document = json_document::load(file);
  EXPECT_EQ(document.root().at("a").to_number<int>(), 1);
  EXPECT_EQ(document.position_of("b").line, 3U);
  std::ofstream(file) << std::string("\xff\xfe{\0}\0", 6);
  EXPECT_EQ(error_of([&] { json_document::load(file); }), file + ": configuration: the file is a text in UTF-16; write it as UTF-8");
  std::remove(file.c_str());
}

TEST(json_document, bounds_how_deep_values_are_nested) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_NO_THROW(json_document::parse(nested(json_document::max_depth), "f.json"));
  EXPECT_NE(error_of([&] { json_document::parse(nested(json_document::max_depth + 1), "f.json"); }).find("f.json:1:33: configuration: "),
            std::string::npos);
}

TEST(json_document, reports_an_unreadable_file) {
  EXPECT_EQ(error_of([] { json_document::load("no/such/file.json"); }),
            "no/such/file.json: configuration: cannot read the file: No such file or directory");
  EXPECT_EQ(error_of([] { json_document::load("."); }), ".: configuration: cannot read the file: Is a directory");
}

}  // namespace json_document_test
