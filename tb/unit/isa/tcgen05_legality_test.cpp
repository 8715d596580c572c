// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/source_text.hpp>

#include "recorded_instructions.hpp"

namespace tc::isa::tcgen05_legality_test {
namespace {

namespace fs = std::filesystem;

/// An instruction and what ptxas 13.0 says of it for sm_100a.
struct verdict {
  bool legal = false;
  std::string instruction, message;
};

/// The fields of a line of comma-separated values; one with commas stands between quotes.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::vector<verdict> read_verdicts(const fs::path& file) {
  std::ifstream in(file);
  std::vector<verdict> verdicts;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() != 3) throw std::runtime_error(file.string() + ": not three fields: " + line);
    verdicts.push_back({fields[0] == "1", fields[1], fields[2]});
  }
  return verdicts;
}

/// All verdicts that there are, or the selection that comes with the test: for every rule an instruction that breaks it, and one that does
/// not.
std::vector<verdict> verdicts() {
  const fs::path selection = fs::path(TC_SOURCE_DIR) / "tb/unit/isa/data/tcgen05_legality.csv";
  const auto shared = shared_folder();
  const fs::path all = shared ? *shared / "vectors/tcgen05_legality.csv" : fs::path();
  const bool complete = shared && fs::exists(all);
  std::vector<verdict> read = read_verdicts(complete ? all : selection);
  std::cout << (complete ? "all " : "the selection of ") << read.size() << " verdicts of the assembler\n";
  return read;
}

TEST(Tcgen05Legality, IsThatOfTheAssembler) {
  const std::vector<verdict> all = verdicts();
  ASSERT_GE(all.size(), 60U);
  for (const verdict& each : all) {
    std::string mistake;
    try {
      parse_operation(each.instruction, architecture::sm_100);
    } catch (const syntax_error& error) {
      mistake = error.what();
      EXPECT_LE(error.column(), each.instruction.size() + 1) << each.instruction;
    }
    EXPECT_EQ(mistake.empty(), each.legal) << each.instruction << "\nptxas: " << each.message << "\nhere: " << mistake;
  }
}

}  // namespace
}  // namespace tc::isa::tcgen05_legality_test
