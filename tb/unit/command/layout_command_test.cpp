// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iostream>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "command_process.hpp"
#include "shared_recordings.hpp"

namespace layout_command_test {

// The command `tcsim layout`: its three formats, agreement with what an H200 showed, and what it refuses.

using namespace tcsim::test;

namespace fs = std::filesystem;
namespace json = boost::json;

class layout_command : public command_test {
 protected:
  std::string layout(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "layout");
    const auto result = tcsim(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result.out;
  }
  json::object operand(const std::string& operation, const std::string& arch, const std::string& which) const {
    const json::value all = json::parse(layout({operation, "--arch", arch, "--operand", which, "--format", "json"}));
    return all.at("operands").at(0).as_object();
  }
};

TEST_F(layout_command, text_has_a_row_for_each_row) {
  const std::string text = layout({"m16n8k16.f32.f16.f16.f32", "--arch", "sm_80", "--operand", "b"});
  EXPECT_EQ(text.substr(0, text.find('\n')), "mma.sync.m16n8k16.row.col.f32.f16.f16.f32 on sm_80: D = A x B + C");
  EXPECT_NE(text.find("\nB: 16 x 8 of f16, 2 registers a lane, 2 elements a register\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  10  1:1.0  5:1.0   9:1.0  13:1.0  17:1.0  21:1.0  25:1.0  29:1.0\n"), std::string::npos) << text;
}

TEST_F(layout_command, text_shows_every_holder) {
  const std::string volta = layout({"wmma.m16n16k16.f16.f32", "--arch", "sm_70", "--operand", "a"});
  EXPECT_NE(volta.find("\n   5  17,25:0.0  17,25:0.1 "), std::string::npos) << volta;
  const std::string turing = layout({"wmma.m16n16k16.f16.f32", "--arch", "sm_75", "--operand", "a"});
  EXPECT_NE(turing.find("\n   8   0:1,5.0   0:1,5.1 "), std::string::npos) << turing;
}

TEST_F(layout_command, text_of_bits_shows_registers) {
  const std::string text = layout({"m16n8k256.s32.b1.b1.s32", "--operand", "a"});
  EXPECT_NE(text.find("0-31  32-63  64-95  96-127  128-159  160-191  192-223  224-255\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  11  12:1   13:1   14:1    15:1     12:3     13:3     14:3     15:3\n"), std::string::npos) << text;
}

TEST_F(layout_command, text_of_a_step_leaves_the_other_steps_out) {
  const std::string text = layout({"HMMA.884.F32.F32.STEP1 R8, R4.ROW, R6.COL, R8", "--config", "turing", "--operand", "d"});
  EXPECT_NE(text.find("\nquad pair 2 (lanes 8-11 and 24-27)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  3   9:0   9:1  11:0  11:1  -  -  -  -\n"), std::string::npos) << text;
}

TEST_F(layout_command, json_has_both_directions) {
  const json::object c = operand("m16n8k16.f32.f16.f16.f32", "sm_80", "c");
  EXPECT_EQ(c.at("type"), "f32");
  EXPECT_EQ(c.at("rows"), 16);
  EXPECT_EQ(c.at("columns"), 8);
  EXPECT_EQ(c.at("elements_per_lane"), 4);
  EXPECT_EQ(c.at("lanes").at(22).at(3), json::parse("[13,5]"));
  EXPECT_EQ(c.at("holders").at(0).at(13).at(5), json::parse("[[22,3,0]]"));
  const json::object a = operand("wmma.m16n16k16.col.row.f16.f32", "sm_70", "a");
  EXPECT_EQ(a.at("order"), "col");
  EXPECT_EQ(a.at("holders").at(0).at(5).at(7), json::parse("[[19,2,1],[27,2,1]]"));
}

TEST_F(layout_command, json_names_the_matrix_of_each_lane) {
  const json::object d = operand("m8n8k4.f32.f16.f16.f32", "sm_70", "d");
  EXPECT_EQ(d.at("matrices"), 4);
  EXPECT_EQ(d.at("matrix_of_lane").at(27), 2);
  EXPECT_EQ(d.at("holders").at(2).at(7).at(6), json::parse("[[27,6,0]]"));
  EXPECT_EQ(d.at("lanes").at(27).at(6), json::parse("[7,6]"));
}

TEST_F(layout_command, json_of_f64_names_the_lower_register) {
  const json::object c = operand("m8n8k4.f64.f64.f64.f64", "sm_80", "c");
  EXPECT_EQ(c.at("registers"), 4);
  EXPECT_EQ(c.at("registers_per_element"), 2);
  EXPECT_EQ(c.at("holders").at(0).at(3).at(5), json::parse("[[14,2,0]]"));
}

/// Recordings of wmma fragments: those that come with the tests, and the shared ones if they are there.
std::vector<json::object> recorded_fragments() {
  std::vector<fs::path> files{TC_SOURCE_DIR "/tb/unit/isa/data/wmma_layouts_sm_90.jsonl"};
  const fs::path shared = tc::test::shared_recordings() / "vectors/hopper-h200/wmma_layouts.jsonl";
  if (fs::exists(shared)) files.push_back(shared);
  std::cout << "recordings: " << files.size() << (fs::exists(shared) ? ", the shared one is there\n" : ", the shared one is missing\n");
  std::vector<json::object> lines;
  for (const auto& each : files) {
    std::ifstream file(each);
    for (std::string line; std::getline(file, line);) lines.push_back(json::parse(line).as_object());
  }
  return lines;
}

/// Words of the rows in memory that the lanes of an operand hold.
json::array words_of(const json::object& operand) {
  json::array words;
  const auto in_word = operand.at("elements_per_register").to_number<unsigned>(), columns = operand.at("columns").to_number<unsigned>();
  for (const json::value& elements : operand.at("lanes").as_array()) {
    const auto row = elements.at(0).at(0).to_number<unsigned>(), column = elements.at(0).at(1).to_number<unsigned>();
    words.emplace_back(static_cast<std::int64_t>((row * columns + column) / in_word));
  }
  return words;
}

TEST_F(layout_command, agrees_with_the_recordings_of_an_h200) {
  const auto recorded = recorded_fragments();
  EXPECT_GE(recorded.size(), 24U);
  for (const auto& line : recorded) {
    const std::string matrix(line.at("matrix").as_string()), order(line.at("layout").as_string());
    const std::string orders = matrix == "a" ? order + ".col" : matrix == "b" ? "row." + order : "row.col";
    const std::string operation = "wmma." + std::string(line.at("shape").as_string()) + "." + orders;
    SCOPED_TRACE(operation + " " + matrix);
    const json::object shown = operand(operation, "sm_90", matrix);
    if (line.contains("lanes")) {
      EXPECT_EQ(shown.at("elements_per_lane"), line.at("elements_per_lane"));
      EXPECT_EQ(shown.at("lanes"), line.at("lanes"));
    } else {
      EXPECT_EQ(words_of(shown), line.at("storage_word_of_lane").as_array());
    }
  }
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST_F(layout_command, svg_has_a_cell_for_each_element) {
  const std::string svg = layout({"m16n8k16.f32.f16.f16.f32", "--arch", "sm_80", "--format", "svg"});
  EXPECT_EQ(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0), 0U);
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
  EXPECT_NE(svg.find("<title>mma.sync.m16n8k16.row.col.f32.f16.f16.f32 on sm_80</title>"), std::string::npos);
  EXPECT_EQ(count(svg, "class=\"frame\""), 16U * 16 + 16 * 8 + 16 * 8);
  EXPECT_EQ(count(svg, "class=\"lane\">23<"), 8U + 4 + 4);
  EXPECT_EQ(count(svg, "<text "), count(svg, "</text>"));
  EXPECT_EQ(count(svg, "href"), 0U);
  EXPECT_NE(svg.find("threadgroup 7: lanes 28-31"), std::string::npos);
}

TEST_F(layout_command, svg_of_bits_has_a_cell_for_each_register) {
  const std::string svg = layout({"m16n8k256.s32.b1.b1.s32", "--format", "svg"});
  EXPECT_EQ(count(svg, "class=\"frame\""), 16U * 8 + 8 * 8 + 16 * 8);
}

TEST_F(layout_command, svg_shows_both_owners_on_volta) {
  const std::string svg = layout({"wmma.m16n16k16.f16.f32", "--arch", "sm_70", "--operand", "a", "--format", "svg"});
  EXPECT_EQ(count(svg, "class=\"lane\">17,25<"), 16U);
}

TEST_F(layout_command, writes_files_whole) {
  EXPECT_EQ(layout({"m16n8k16.f32.f16.f16.f32", "--format", "svg", "-o", "a.svg"}), "");
  EXPECT_EQ(content_of(folder() / "a.svg"), layout({"m16n8k16.f32.f16.f16.f32", "--format", "svg"}));
  expect_refusal({"layout", "m16n8k16.f32.f16.f16.f32", "-o", "none/a.txt"}, {"none/a.txt"});
}

TEST_F(layout_command, takes_the_architecture_of_a_configuration) {
  EXPECT_NE(layout({"m16n8k8.f32.f16.f16.f32", "--config", "turing"}).find(" on sm_75: "), std::string::npos);
  EXPECT_NE(layout({"HMMA.884.F32.F32.STEP0"}).find(" on sm_75: "), std::string::npos) << "the newest that has it";
}

TEST_F(layout_command, knows_the_shapes_that_a_trace_declares) {
  const std::string trace = (fs::path(TC_SOURCE_DIR) / "examples" / "matrix_shapes" / "fp4_16x16x32.trace").string();
  const std::string text = layout({"HMMA.161632.F32.E2M1", "--trace", trace, "--operand", "b"});
  EXPECT_NE(text.find(" on sm_75: "), std::string::npos) << text;
  EXPECT_NE(text.find("\nB: 32 x 16 of e2m1, 2 registers a lane, 8 elements a register\n"), std::string::npos) << text;
  EXPECT_EQ(layout({"--list", "--trace", trace}), "HMMA.161632.F32.E2M1\n");
  expect_refusal({"layout", "HMMA.161632.F32.E2M1"}, {"HMMA.161632.F32.E2M1: column "});
  expect_refusal({"layout", "HMMA.161632.F32.E2M1", "--trace", trace, "--arch", "sm_75"}, {"--trace", "--arch"});
}

TEST_F(layout_command, lists_operations) {
  const std::string names = layout({"--list", "--arch", "sm_75"});
  EXPECT_NE(names.find("mma.sync.m16n8k8.f32.f16.f16.f32\n"), std::string::npos) << names;
  EXPECT_EQ(names.find("m16n8k16"), std::string::npos) << names;
}

TEST_F(layout_command, refuses_operations_that_do_not_exist) {
  expect_refusal({"layout"}, {"which operation", "mma.sync.m16n8k16", "--list"});
  expect_refusal({"layout", "m16n8k15.f32.f16.f16.f32"}, {"column 1", "no shape 'm16n8k15'", "m16n8k16"});
  expect_refusal({"layout", "m16n8k16.f32.f17.f16.f32"}, {"column 14", "'f17'", "bf16"});
  expect_refusal({"layout", "HMMA.16817.F32", "--arch", "sm_80"}, {"column 6", "16816"});
  expect_refusal({"layout", "m16n8k16.f32.f16.f16.f32", "--arch", "sm_75"}, {"sm_75", "sm_80 and later"});
  expect_refusal({"layout", "m16n8k16.f32.f16.f16.f32", "--config", "turing"}, {"sm_75", "sm_80 and later"});
}

TEST_F(layout_command, notes_which_layouts_are_inferred) {
  const auto inferred = tcsim({"layout", "wmma.m32n8k16.f16.f32", "--arch", "sm_70"});
  EXPECT_EQ(inferred.status, 0);
  EXPECT_NE(inferred.err.find("neither published nor recorded"), std::string::npos) << inferred.err;
  EXPECT_EQ(tcsim({"layout", "wmma.m16n16k16.f16.f32", "--arch", "sm_70"}).err, "");
  EXPECT_EQ(tcsim({"layout", "wmma.m32n8k16.f16.f32", "--arch", "sm_75"}).err, "");
}

TEST_F(layout_command, refuses_wrong_options) {
  expect_refusal({"layout", "m16n8k16.f32.f16.f16.f32", "--arch", "sm_85"}, {"sm_85", "sm_86"});
  expect_refusal({"layout", "m16n8k16.f32.f16.f16.f32", "--operand", "e"}, {"--operand", "a, b, c, d"});
  expect_refusal({"layout", "m16n8k16.f32.f16.f16.f32", "--format", "png"}, {"--format", "text, json, svg"});
  expect_refusal({"layout", "m16n8k16.f32.f16.f16.f32", "--config", "tuning"}, {"did you mean \"turing\"?"});
  expect_refusal({"layout", "m16n8k16.f32.f16.f16.f32", "--config", "turing", "--arch", "sm_75"}, {"--arch", "--config"});
}

}  // namespace layout_command_test
