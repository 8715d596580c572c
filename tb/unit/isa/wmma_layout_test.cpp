// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iostream>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <tc/isa/register_mma.hpp>

#include "recorded_instructions.hpp"

namespace tc::isa::wmma_layout_test {
namespace {

fragment_layout layout_of(const std::string& operation, architecture arch, fragment which) {
  return parse_register_mma(operation, arch).layout(which);
}

std::vector<fragment_element> volta_holders(const std::string& orders, fragment which, unsigned row, unsigned column) {
  return layout_of("wmma.m16n16k16." + orders + ".f16.f32", architecture::sm_70, which).holders(row, column);
}

// Expected holders on Volta follow from figures 4.2, 4.3 and 4.7 of Jia et al., arXiv 1804.06826.
TEST(WmmaLayout, OfVoltaHoldsMultiplicandsTwice) {
  using elements = std::vector<fragment_element>;
  EXPECT_EQ(volta_holders("row.col", fragment::a, 5, 7), (elements{{17, 3, 1}, {25, 3, 1}}));
  EXPECT_EQ(volta_holders("col.col", fragment::a, 5, 7), (elements{{19, 2, 1}, {27, 2, 1}}));
  EXPECT_EQ(volta_holders("row.col", fragment::b, 7, 5), (elements{{17, 3, 1}, {21, 3, 1}}));
  EXPECT_EQ(volta_holders("row.row", fragment::b, 7, 5), (elements{{19, 2, 1}, {23, 2, 1}}));
}

TEST(WmmaLayout, OfVoltaHoldsSumsOnce) {
  using elements = std::vector<fragment_element>;
  const auto f32 = layout_of("wmma.m16n16k16.f16.f32", architecture::sm_70, fragment::c);
  EXPECT_EQ(f32.holders(9, 14), (elements{{15, 4, 0}}));
  EXPECT_EQ(f32.holders(6, 3), (elements{{18, 3, 0}}));
  const auto f16 = layout_of("wmma.m16n16k16.f16.f16", architecture::sm_70, fragment::c);
  EXPECT_EQ(f16.holders(9, 14), (elements{{13, 3, 0}}));
  EXPECT_EQ(f16.holders(6, 3), (elements{{18, 1, 1}}));
}

TEST(WmmaLayout, OfTuringRepeatsRegisters) {
  const auto a = layout_of("wmma.m16n16k16.f16.f32", architecture::sm_75, fragment::a);
  const matrix_position expected[] = {{0, 2}, {8, 2}, {0, 10}, {8, 10}};
  ASSERT_EQ(a.registers(), 8U);
  for (unsigned reg = 0; reg < 8; ++reg) {
    EXPECT_EQ(a.position(1, reg, 0), expected[reg % 4]) << reg;
    EXPECT_EQ(a.position(1, reg, 1), expected[reg % 4] + column_step(1)) << reg;
  }
}

/// m8n32k16 is computed transposed where the instructions have m = 16. On Turing those for integers have m = 8.
TEST(WmmaLayout, OfAFlatShapeMayBeTransposed) {
  const auto c_of = [](const std::string& operation, architecture arch) { return layout_of(operation, arch, fragment::c); };
  EXPECT_EQ(c_of("wmma.m8n32k16.f16.f32", architecture::sm_75).position(6, 1, 0), (matrix_position{5, 1}));
  EXPECT_EQ(c_of("wmma.m8n32k16.s8.s32", architecture::sm_75).position(6, 1, 0), (matrix_position{1, 5}));
  EXPECT_EQ(c_of("wmma.m8n32k16.s8.s32", architecture::sm_90).position(6, 1, 0), (matrix_position{5, 1}));
}

/// Lines of recordings of wmma fragments on an H200: shape, matrix, memory order, and what each lane holds. Those that come with the test
/// have each shape and element type; the shared recording adds both memory orders of most.
std::vector<boost::json::object> recorded_fragments() {
  std::vector<std::filesystem::path> files{TC_SOURCE_DIR "/tb/unit/isa/data/wmma_layouts_sm_90.jsonl"};
  const auto shared = shared_folder();
  if (shared) files.push_back(*shared / "vectors/hopper-h200/wmma_layouts.jsonl");
  std::cout << (shared ? "the lines that come with the test and the shared recording\n" : "the lines that come with the test\n");
  std::vector<boost::json::object> lines;
  for (const auto& each : files) {
    std::ifstream file(each);
    for (std::string line; std::getline(file, line);) lines.push_back(boost::json::parse(line).as_object());
  }
  return lines;
}

void expect_recorded_lanes(const fragment_layout& layout, const boost::json::array& lanes) {
  ASSERT_EQ(lanes.size(), fragment_layout::lanes);
  for (unsigned lane = 0; lane < lanes.size(); ++lane) {
    const boost::json::array& elements = lanes[lane].as_array();
    ASSERT_EQ(elements.size(), layout.elements());
    for (unsigned x = 0; x < elements.size(); ++x) {
      const matrix_position expected{elements[x].at(0).to_number<unsigned>(), elements[x].at(1).to_number<unsigned>()};
      const unsigned w = layout.elements_per_register();
      EXPECT_EQ(layout.position(lane, x / w * layout.registers_per_element(), x % w), expected) << "lane " << lane << " element " << x;
    }
  }
}

/// A matrix of small elements was recorded as the 32-bit words of its rows in memory.
void expect_recorded_words(const fragment_layout& layout, const boost::json::array& word_of_lane) {
  const unsigned words_in_row = layout.columns() / layout.elements_per_register();
  ASSERT_EQ(word_of_lane.size(), fragment_layout::lanes);
  for (unsigned lane = 0; lane < word_of_lane.size(); ++lane) {
    const unsigned word = word_of_lane[lane].to_number<unsigned>();
    const matrix_position first{word / words_in_row, word % words_in_row * layout.elements_per_register()};
    for (unsigned element = 0; element < layout.elements_per_register(); ++element)
      EXPECT_EQ(layout.position(lane, 0, element), first + column_step(element)) << "lane " << lane;
  }
}

TEST(WmmaLayout, OfHopperIsAsRecorded) {
  const auto recorded = recorded_fragments();
  EXPECT_GE(recorded.size(), 24U);
  for (const auto& line : recorded) {
    const std::string matrix(line.at("matrix").as_string()), order(line.at("layout").as_string()), shape(line.at("shape").as_string());
    SCOPED_TRACE(shape + " " + matrix + " " + order);
    const std::string orders = matrix == "a" ? order + ".col" : matrix == "b" ? "row." + order : "row.col";
    const register_mma operation = parse_register_mma("wmma." + shape + "." + orders, architecture::sm_90);
    const fragment_layout& layout = operation.layout(matrix == "a" ? fragment::a : matrix == "b" ? fragment::b : fragment::c);
    if (line.contains("lanes"))
      expect_recorded_lanes(layout, line.at("lanes").as_array());
    else
      expect_recorded_words(layout, line.at("storage_word_of_lane").as_array());
  }
}

}  // namespace
}  // namespace tc::isa::wmma_layout_test
