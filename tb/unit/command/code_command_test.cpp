// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/study/compressed_file.hpp>

#include "command_process.hpp"

namespace code_command_test {

// The command `tcsim code decode`: words, cubins, that its listing is imported, and what it refuses.

using namespace tcsim::test;

class code_command : public command_test {
 protected:
  /// Unpacks the cubin of the kernels that the tests of the room machine_code have, and returns its name.
  std::string cubin(const std::string& target) const {
    const auto packed = std::filesystem::path(TC_SOURCE_DIR) / "tb/unit/machine_code/data" / ("kernels." + target + ".cubin.xz");
    tc::study::compressed_input input(packed);
    std::string bytes;
    std::array<char, 4096> part{};
    while (const std::size_t count = input.read(part.data(), part.size())) bytes.append(part.data(), count);
    return file(target + ".cubin", bytes);
  }
};

TEST_F(code_command, decodes_words_however_they_are_written) {
  const std::string text = "[B------:R-:W-:-:S01] LDC R1, c[0x0][0x28] ;\n";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"00000a00ff017b82", "000fe20000000800"},
                                                {"0x00000a00ff017b82", "0x000fe20000000800"},
                                                {"000fe2000000080000000a00ff017b82"}}) {
    std::vector<std::string> arguments = {"code", "decode"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const auto result = tcsim(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, text);
  }
}

TEST_F(code_command, decodes_words_for_the_architecture_that_is_asked_for) {
  const auto result = tcsim({"code", "decode", "--arch", "sm_80", "0000000406118981", "000ea8000c1e1500"});
  EXPECT_EQ(result.out, "[B------:R-:W2:-:S04] @!P0 LDG.E.U16 R17, [R6.64] ;\n") << result.err;
}

TEST_F(code_command, lists_a_cubin_so_that_its_kernel_can_be_imported) {
  const auto listed = tcsim({"code", "decode", cubin("sm_80"), "-o", "kernels.sass"});
  EXPECT_EQ(listed.status, 0) << listed.err;
  const auto imported = tcsim({"import", "nvdisasm", "kernels.sass", "--kernel", "matrices", "-o", "matrices.trace", "--arguments",
                               "0x1000,0x2000,0x3000,0x4000,0x5000", "--memory", "0x1000 1024 zero", "--memory", "0x2000 512 zero",
                               "--memory", "0x3000 512 zero", "--memory", "0x4000 512 zero", "--memory", "0x5000 1024 zero"});
  EXPECT_EQ(imported.status, 0) << imported.err;
  EXPECT_NE(imported.out.find("matrices for sm_80: "), std::string::npos) << imported.out;
}

TEST_F(code_command, writes_unknown_words_as_such_and_counts_them) {
  const std::string all_ones = "ffffffffffffffffffffffffffffffff";
  const auto result = tcsim({"code", "decode", all_ones, "00000a00ff017b82", "000fe20000000800", all_ones});
  EXPECT_EQ(result.status, 1);
  const std::string line = "[B012345:R-:W-:-:S15] unknown 0x" + all_ones + " ;\n";
  EXPECT_EQ(result.out, line + "[B------:R-:W-:-:S01] LDC R1, c[0x0][0x28] ;\n" + line);
  EXPECT_EQ(result.err,
            "tcsim: no instruction of sm_90 has 2 words; written as unknown, the first in word 1: ffffffffffffffff ffffffffffffffff\n");
}

TEST_F(code_command, lists_a_cubin_with_an_unknown_word_whole) {
  const std::string name = cubin("sm_80");
  const auto whole = tcsim({"code", "decode", name});
  std::ifstream input(folder() / name, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(input)), {});
  const std::string exit_word{'\x4d', '\x79', '\0', '\0', '\0', '\0', '\0', '\0', '\0', '\0', '\x80', '\x03'};
  const auto at = bytes.find(exit_word);
  ASSERT_NE(at, std::string::npos);
  bytes[at] = '\xff';
  const auto result = tcsim({"code", "decode", file("damaged.cubin", bytes), "-o", "damaged.sass"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err.find("tcsim: damaged.cubin: no instruction of sm_80 has 1 word; written as unknown, the first in "), 0U)
      << result.err;
  EXPECT_NE(result.err.find(", byte 0x"), std::string::npos) << result.err;
  std::ifstream listing(folder() / "damaged.sass");
  const std::string text((std::istreambuf_iterator<char>(listing)), {});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), std::count(whole.out.begin(), whole.out.end(), '\n'));
  EXPECT_NE(text.find(" unknown 0x"), std::string::npos);
}

TEST_F(code_command, refuses_what_is_no_word) {
  expect_refusal({"code", "decode", "12"}, {"12 has 2 hexadecimal digits; a word has 32, half of one 16"});
  expect_refusal({"code", "decode", "00000a00ff017b82"}, {"00000a00ff017b82 is the lower half of a word; the upper one must follow"});
  expect_refusal({"code", "decode", "00000a00ff017b82", "000fe20000000800", "hello"}, {"hello is no instruction word"});
  expect_refusal({"code", "decode", "--arch", "sm_100", "00000a00ff017b82", "000fe20000000800"},
                 {"--arch sm_100: it must be one of sm_75, sm_80, sm_86, sm_89, sm_90"});
}

TEST_F(code_command, refuses_what_is_no_cubin) {
  expect_refusal({"code", "decode", "missing.cubin"}, {"missing.cubin: cannot be opened"});
  expect_refusal({"code", "decode", file("it.cubin", "text")}, {"it.cubin: byte 0x0: not an ELF file"});
  expect_refusal({"code", "decode", cubin("sm_75"), "--function", "nothing", "-o", "out.sass"},
                 {"there is no function nothing; there are "});
  expect_refusal({"code", "decode", cubin("sm_75"), "--arch", "sm_90"}, {"the cubin is for sm_75, not for sm_90"});
}

}  // namespace code_command_test
