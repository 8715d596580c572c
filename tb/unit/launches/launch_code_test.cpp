// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <scratch_folder.hpp>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/launches/cubin_kernel.hpp>
#include <tc/launches/launch_code.hpp>
#include <tc/machine_code/code_error.hpp>
#include <tc/machine_code/code_listing.hpp>
#include <tc/study/compressed_file.hpp>

namespace tc::launches::launch_code_test {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path data = fs::path(TC_SOURCE_DIR) / "tb/unit/machine_code/data";

std::string bytes_of(const fs::path& file) {
  study::compressed_input in(file);
  std::string bytes(1 << 20, '\0');
  bytes.resize(in.read(bytes.data(), bytes.size()));
  return bytes;
}

fs::path write_file(const scratch_folder& folder, const std::string& name, const std::string& content) {
  std::ofstream(folder.path() / name, std::ios::binary) << content;
  return folder.path() / name;
}

/// What is wrong with the code of a file; empty if nothing is.
std::string mistake(const fs::path& file, const std::string& kernel = {}) {
  try {
    read_launch_code(file, kernel);
  } catch (const machine_code::code_error& error) {
    return std::string(error.what()).substr(file.string().size());
  }
  return {};
}

/// Names, sizes and contents, and the addresses that they hold.
std::map<std::string, std::string> variables_of(const listings::sass_kernel& kernel) {
  std::map<std::string, std::string> variables;
  for (const auto& each : kernel.variables) {
    std::string content(each.content.begin(), each.content.end());
    content.resize(each.bytes);
    for (const auto& reference : each.references) content += fmt::format("{} at {}", reference.text, reference.offset);
    variables[each.name] = content;
  }
  for (const auto& [name, place] : kernel.constant_variables)
    if (name.front() != '.') variables[name] = fmt::format("c[{}][{}]", place.bank, place.offset);
  return variables;
}

class cubins : public testing::TestWithParam<const char*> {};

/// The listing that is made of a cubin has all that the execution needs.
TEST_P(cubins, give_the_kernels_that_their_listings_give) {
  const fs::path cubin = data / GetParam();
  const machine_code::cubin code("it.cubin", bytes_of(cubin));
  const scratch_folder folder;
  std::ofstream listing(folder.path() / "it.sass");
  machine_code::write_listing(listing, code);
  listing.close();
  unsigned kernels = 0;
  for (const auto& function : code.functions()) {
    if (!function.is_entry) continue;
    ++kernels;
    const listings::sass_kernel listed = read_launch_code(folder.path() / "it.sass", function.name).kernel;
    const listings::sass_kernel direct = read_launch_code(cubin, function.name).kernel;
    EXPECT_EQ(direct.arch, listed.arch);
    EXPECT_EQ(direct.registers, listed.registers);
    EXPECT_EQ(direct.shared_bytes, listed.shared_bytes);
    EXPECT_EQ(direct.functions.size(), listed.functions.size());
    EXPECT_EQ(variables_of(direct), variables_of(listed));
    ASSERT_EQ(direct.code.size(), listed.code.size()) << function.name;
    for (std::size_t i = 0; i < direct.code.size(); ++i) {
      EXPECT_EQ(direct.code[i].pc, listed.code[i].pc);
      EXPECT_EQ(direct.code[i].word.low, listed.code[i].word.low);
      EXPECT_EQ(direct.code[i].word.high, listed.code[i].word.high);
    }
  }
  EXPECT_GT(kernels, 0U);
}

INSTANTIATE_TEST_SUITE_P(all, cubins,
                         testing::Values("kernels.sm_75.cubin.xz", "kernels.sm_80.cubin.xz", "kernels.sm_86.cubin.xz",
                                         "kernels.sm_89.cubin.xz", "kernels.sm_90a.cubin.xz"));

TEST(launch_code, of_a_cubin_has_records_constants_and_variables) {
  const launch_code code = read_launch_code(data / "kernels.sm_90a.cubin.xz", "floats");
  EXPECT_EQ(code.records.parameters.size(), 4U);
  EXPECT_EQ(code.records.parameter_bytes(), 24U);
  EXPECT_EQ(code.records.registers, code.kernel.registers);
  EXPECT_EQ(code.kernel.target, "sm_90a");
  EXPECT_FALSE(code.kernel.constants.empty());
  bool has_counter = false;
  for (const auto& each : code.kernel.variables) has_counter |= each.name == "counter" && each.bytes == 8 && each.content.front() == 7;
  EXPECT_TRUE(has_counter);
}

TEST(launch_code, of_a_cubin_brings_the_functions_that_it_calls) {
  const fs::path folder = fs::path(TC_SOURCE_DIR) / "launches/unoptimised";
  const listings::sass_kernel decoded = read_launch_code(folder / "code.cubin.xz").kernel,
                              listed = read_launch_code(folder / "code.sass.xz").kernel;
  ASSERT_EQ(decoded.functions.size(), 5U);
  ASSERT_EQ(listed.functions.size(), 5U);
  EXPECT_EQ(decoded.functions.front().name, "__cuda_sm20_rem_u64");
  ASSERT_EQ(decoded.code.size(), listed.code.size());
  for (std::size_t i = 0; i < decoded.code.size(); ++i) EXPECT_EQ(decoded.code[i].word.high, listed.code[i].word.high);
  EXPECT_EQ(decoded.place_of(decoded.functions.back().begin + 0x20).substr(0, 10), "0x0020 of ");
}

TEST(launch_code, says_which_kernels_there_are) {
  EXPECT_THAT(mistake(data / "kernels.sm_75.cubin.xz"), HasSubstr("kernels; name one of them: "));
  EXPECT_THAT(mistake(data / "kernels.sm_75.cubin.xz", "other"), HasSubstr(": no kernel 'other'; there are "));
}

/// A cut cubin is refused, with its name, wherever its end is missing.
TEST(launch_code, of_a_cubin_that_is_cut_is_refused) {
  const std::string whole = bytes_of(data / "kernels.sm_75.cubin.xz");
  const scratch_folder folder;
  for (std::size_t size = 4; size + 1024 < whole.size(); size += 331)
    EXPECT_NE(mistake(write_file(folder, "it.cubin", whole.substr(0, size)), "floats"), "") << size;
}

/// At every byte: what is left is refused, or whole without what stands behind the sections.
TEST(launch_code, of_a_cubin_that_is_cut_anywhere_ends) {
  const std::string whole = bytes_of(fs::path(TC_SOURCE_DIR) / "launches/scan/code.cubin.xz");
  std::size_t refused = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) try {
      kernel_of_cubin(machine_code::cubin("it.cubin", whole.substr(0, size)), "");
    } catch (const machine_code::code_error&) {
      ++refused;
    }
  EXPECT_GT(refused, whole.size() - 1024);
}

/// A word that is not known is an instruction that is not executed.
TEST(launch_code, keeps_words_that_are_not_known) {
  std::string bytes = bytes_of(data / "kernels.sm_75.cubin.xz");
  const machine_code::cubin cubin("it.cubin", bytes);
  std::string word(16, '\0');
  const auto& first = cubin.find("floats")->words.front();
  for (unsigned i = 0; i < 8; ++i) {
    word[i] = static_cast<char>(first.low >> 8 * i);
    word[8 + i] = static_cast<char>(first.high >> 8 * i);
  }
  for (std::size_t at = bytes.find(word); at != std::string::npos; at = bytes.find(word, at + 16))
    bytes.replace(at, 16, std::string(16, '\xff'));
  const scratch_folder folder;
  const launch_code code = read_launch_code(write_file(folder, "it.cubin", bytes), "floats");
  EXPECT_EQ(code.kernel.code.front().text, "unknown 0xffffffffffffffffffffffffffffffff");
}

}  // namespace tc::launches::launch_code_test
