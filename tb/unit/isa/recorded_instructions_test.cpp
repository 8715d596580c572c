// SPDX-License-Identifier: Apache-2.0
#include "recorded_instructions.hpp"

#include <iostream>

#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>

namespace tc::isa::recorded_instructions_test {
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

}  // namespace
}  // namespace tc::isa::recorded_instructions_test
