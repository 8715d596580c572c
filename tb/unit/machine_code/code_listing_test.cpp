// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <iterator>
#include <scratch_folder.hpp>
#include <sstream>

#include <gtest/gtest.h>

#include <tc/listings/sass_listing.hpp>
#include <tc/listings/sass_program.hpp>
#include <tc/machine_code/code_error.hpp>
#include <tc/machine_code/code_listing.hpp>
#include <tc/machine_code/decoder.hpp>

#include "kernel_files.hpp"

namespace code_listing_test {

using namespace tc;
using machine_code::cubin;

TEST(code_listing, is_one_that_the_importer_reads) {
  const ::scratch_folder folder;
  for (const auto& target : test::kernel_targets()) {
    const cubin code(target, test::cubin_bytes(target));
    const auto path = folder.path() / (target + ".sass");
    std::ofstream file(path);
    machine_code::write_listing(file, code);
    file.close();
    for (const auto& function : code.functions()) {
      const auto kernel = listings::read_sass(path, function.name);
      EXPECT_EQ(kernel.target, target);
      EXPECT_EQ(kernel.registers, function.registers);
      ASSERT_EQ(kernel.code.size(), function.words.size()) << target << ' ' << function.name;
      for (std::size_t i = 0; i < kernel.code.size(); ++i) {
        EXPECT_EQ(kernel.code[i].word.low, function.words[i].low);
        EXPECT_EQ(kernel.code[i].word.high, function.words[i].high);
      }
      if (function.shared_bytes) {
        EXPECT_EQ(kernel.shared_bytes, function.shared_bytes);
      }
    }
  }
}

TEST(code_listing, names_targets_and_functions) {
  const cubin code("it.cubin", test::cubin_bytes("sm_80"));
  std::ostringstream out;
  machine_code::write_listing(out, code, {"flows"});
  EXPECT_NE(out.str().find("\n.L_x_0:\n"), std::string::npos);
  EXPECT_NE(out.str().find("BRA `(.L_x_"), std::string::npos);
  EXPECT_NE(out.str().find("CALL.REL.NOINC `($flows$_Z9recursivei) ;"), std::string::npos);
  EXPECT_EQ(out.str().find(".text.floats"), std::string::npos);
}

TEST(code_listing, names_what_relocations_put_in) {
  const cubin code("it.cubin", test::relocatable_bytes());
  std::ostringstream out;
  machine_code::write_listing(out, code);
  for (const char* const text :
       {"UMOV UR8, 32@lo($str) ;", "UMOV UR9, 32@hi($str) ;", "CALL.ABS.NOINC `(__assertfail) ;", "CALL.ABS.NOINC `(vprintf) ;"})
    EXPECT_NE(out.str().find(text), std::string::npos) << text << '\n' << out.str();
  EXPECT_NE(out.str().find("MOV R20, 32@lo((relocated + .L_x_"), std::string::npos) << out.str();
}

TEST(code_listing, goes_on_behind_a_word_that_it_cannot_decode) {
  std::string bytes = test::cubin_bytes("sm_80");
  const cubin whole("it.cubin", bytes);
  const auto word = whole.find("copies")->words[2];
  std::string wanted;
  for (unsigned i = 0; i < 8; ++i) wanted += static_cast<char>((word.low >> (8 * i)) & 0xffU);
  for (unsigned i = 0; i < 8; ++i) wanted += static_cast<char>((word.high >> (8 * i)) & 0xffU);
  std::size_t damages = 0;
  for (auto at = bytes.find(wanted); at != std::string::npos; at = bytes.find(wanted, at + 1), ++damages)
    bytes[at] = bytes[at + 1] = '\xff';
  ASSERT_NE(damages, 0U);
  const cubin damaged("it.cubin", bytes);
  std::ostringstream out, expected;
  const auto unknown = machine_code::write_listing(out, damaged, {"copies"});
  EXPECT_EQ(unknown.count, 1U);
  const auto word_there = damaged.find("copies")->words[2];
  EXPECT_EQ(unknown.first, "copies, byte 0x0020: " + isa::text_of(word_there));
  EXPECT_EQ(machine_code::write_listing(expected, whole, {"copies"}).count, 0U);
  std::istringstream lines(out.str()), expected_lines(expected.str());
  unsigned differing = 0;
  for (std::string line, other; std::getline(lines, line) && std::getline(expected_lines, other);) {
    if (line == other) continue;
    ++differing;
    EXPECT_NE(line.find(machine_code::unknown_text(word_there) + " ;"), std::string::npos) << line;
  }
  EXPECT_EQ(differing, 1U);
}

TEST(code_listing, with_an_unknown_word_is_one_that_the_importer_reads) {
  const ::scratch_folder folder;
  std::string bytes = test::cubin_bytes("sm_80");
  const cubin whole("it.cubin", bytes);
  const auto path = folder.path() / "it.sass";
  std::ofstream file(path);
  machine_code::write_listing(file, whole, {"copies"});
  file.close();
  std::ifstream input(path);
  std::string text((std::istreambuf_iterator<char>(input)), {});
  const auto exit = text.find(" EXIT ;");
  ASSERT_NE(exit, std::string::npos);
  text.replace(exit, 7, " " + machine_code::unknown_text(whole.find("copies")->words[0]) + " ;");
  std::ofstream(path) << text;
  const auto program = listings::decode_sass(listings::read_sass(path, "copies"));
  const auto unknown = std::find_if(program.begin(), program.end(), [](const auto& each) { return !each.unknown.empty(); });
  ASSERT_NE(unknown, program.end());
  EXPECT_EQ(unknown->unknown, "no instruction of sm_80 that is known has this word");
}

TEST(code_listing, names_the_functions_that_there_are) {
  const cubin code("it.cubin", test::cubin_bytes("sm_80"));
  std::ostringstream out;
  EXPECT_THROW(machine_code::write_listing(out, code, {"nothing"}), machine_code::code_error);
}

}  // namespace code_listing_test
