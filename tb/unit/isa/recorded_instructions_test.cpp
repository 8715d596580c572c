#include "recorded_instructions.hpp"

#include <fstream>
#include <iostream>
#include <map>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <tc/isa/fragment_layout.hpp>
#include <tc/isa/instruction_parser.hpp>

namespace tc::isa {
namespace {

TEST(RecordedInstructions, AllParse) {
  std::cout << (shared_folder() ? "shared recordings\n" : "the selection that comes with the test\n");
  std::size_t parsed = 0;
  for (const recorded_instructions& recording : all_recorded_instructions()) {
    for (const std::string& line : recording.lines) {
      try {
        parse_instruction(line, recording.arch);
        ++parsed;
      } catch (const syntax_error& error) {
        FAIL() << recording.file << ": " << line << "\ncolumn " << error.column() << ": " << error.what();
      }
    }
  }
  EXPECT_GT(parsed, 300U);
  std::cout << parsed << " instructions\n";
}

/// Damages each line at every place, by removing and by replacing a character. The parser either accepts what comes out or names a column
/// in it.
TEST(RecordedInstructions, DamagedLinesNeverEscapeTheParser) {
  std::size_t rejected = 0;
  for (const recorded_instructions& recording : selected_instructions()) {
    for (const std::string& line : recording.lines) {
      for (std::size_t place = 0; place < line.size(); ++place) {
        for (const char* replacement : {"", ".", "[", "R", "9", ",", "-", "`"}) {
          std::string damaged = line;
          damaged.replace(place, 1, replacement);
          try {
            parse_instruction(damaged, recording.arch);
          } catch (const syntax_error& error) {
            ++rejected;
            ASSERT_GE(error.column(), 1U) << damaged;
            ASSERT_LE(error.column(), damaged.size() + 1) << damaged;
          }
        }
      }
    }
  }
  EXPECT_GT(rejected, 1000U);
}

fragment fragment_named(const std::string& name) { return name == "a" ? fragment::a : name == "b" ? fragment::b : fragment::c; }

/// Compares one recorded fragment: element x of a lane is element x modulo the instruction's of the (x / size)-th instruction, 8 columns
/// on.
void expect_recorded_layout(const boost::json::object& recorded, const fragment_layout& layout, bool repeats) {
  const unsigned per_lane = layout.registers() * layout.elements_per_register();
  unsigned lane = 0;
  for (const boost::json::value& elements : recorded.at("lanes").as_array()) {
    unsigned x = 0;
    for (const boost::json::value& element : elements.as_array()) {
      const unsigned in_fragment = x % per_lane, shift = repeats ? 0 : x / per_lane % 2 * 8;
      const matrix_position at =
          layout.position(lane, in_fragment / layout.elements_per_register(), in_fragment % layout.elements_per_register());
      EXPECT_EQ(element.at(0).to_number<unsigned>(), at.row) << "lane " << lane << " element " << x;
      EXPECT_EQ(element.at(1).to_number<unsigned>(), at.column + shift) << "lane " << lane << " element " << x;
      ++x;
    }
    ++lane;
  }
}

/// On Hopper a 16x16x16 wmma is two 16x8x16 instructions side by side; 4-bit and binary ones are a single instruction.
TEST(RecordedLayouts, OfWmmaAreThoseOfTheirInstructions) {
  const auto shared = shared_folder();
  if (!shared) GTEST_SKIP() << "needs the shared recordings";
  const std::map<std::string, std::string> instructions{{"m16n16k16.f16.f32", "HMMA.16816.F32 R8, R16, R32, R8"},
                                                        {"m16n16k16.bf16.f32", "HMMA.16816.F32.BF16 R8, R16, R32, R8"},
                                                        {"m16n16k16.s8.s32", "IMMA.16816.S8.S8 R8, R16, R32, R8"},
                                                        {"m8n8k32.s4.s32", "IMMA.8832.S4.S4 R8, R16, R32, R8"},
                                                        {"m8n8k128.b1.s32", "BMMA.88128.AND.POPC R8, R16, R32, R8"}};
  std::ifstream file(*shared / "vectors/hopper-h200/wmma_layouts.jsonl");
  unsigned compared = 0;
  for (std::string line; std::getline(file, line);) {
    const boost::json::object recorded = boost::json::parse(line).as_object();
    const auto found = recorded.contains("lanes") ? instructions.find(recorded.at("shape").as_string().c_str()) : instructions.end();
    if (found == instructions.end()) continue;
    SCOPED_TRACE(line.substr(0, 70));
    const fragment which = fragment_named(recorded.at("matrix").as_string().c_str());
    const mma_operation mma = *mma_of(parse_operation(found->second, architecture::sm_89));
    expect_recorded_layout(recorded, fragment_layout(mma, which), which == fragment::a);
    ++compared;
  }
  EXPECT_GE(compared, 20U);
}

}  // namespace
}  // namespace tc::isa
