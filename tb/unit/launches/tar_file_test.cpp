// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <tc/launches/launch_code.hpp>
#include <tc/launches/launch_reader.hpp>
#include <tc/launches/tar_file.hpp>
#include <tc/study/compressed_file.hpp>
#include <tc/trace/trace_error.hpp>

#include "launch_folder.hpp"

namespace tc::launches::tar_file_test {

namespace fs = std::filesystem;
using test::launch_folder;
using testing::EndsWith;
using testing::HasSubstr;

const std::string text = "kernel add\ngrid 4 2 1\nblock 64 1 1\nmemory 0x10000 600\n";

std::string packed(const launch_folder& folder) {
  std::ostringstream archive;
  write_tar(archive, folder.path());
  return archive.str();
}

/// The folder of a launch with two more files, and a place for archives of it.
class tar_file : public testing::Test {
 protected:
  tar_file() : folder_(text) {
    folder_.file("10000.pre", std::string(600, 'a'));
    folder_.file("10000.post", std::string(600, 'b'));
  }

  fs::path archive(const std::string& bytes) const {
    std::ofstream(scratch_.path() / "it.tar", std::ios::binary) << bytes;
    return scratch_.path() / "it.tar";
  }
  /// What is wrong with an archive; empty if nothing is.
  std::string mistake(const std::string& bytes) const {
    try {
      read_launch(archive(bytes));
    } catch (const std::runtime_error& error) {
      return std::string(error.what()).substr(scratch_.path().string().size() + 1);
    }
    return {};
  }

  launch_folder folder_;
  scratch_folder scratch_;
};

TEST_F(tar_file, of_a_launch_is_read_as_its_folder) {
  const launch read = read_launch(archive(packed(folder_)));
  EXPECT_EQ(read.kernel, "add");
  EXPECT_EQ(read.file, (scratch_.path() / "it.tar/launch.txt").string());
  ASSERT_EQ(read.allocations.size(), 1U);
  EXPECT_EQ(content_bytes(read.allocations[0].before, 600), std::vector<std::uint8_t>(600, 'a'));
  EXPECT_EQ(read_content_file(*read.allocations[0].after, 600), std::vector<std::uint8_t>(600, 'b'));
}

TEST_F(tar_file, may_be_compressed) {
  std::ostringstream compressed;
  study::write_compressed(compressed, study::compression::xz, [this](std::ostream& to) { write_tar(to, folder_.path()); });
  EXPECT_EQ(mistake(compressed.str()), "");
  EXPECT_LT(compressed.str().size(), 1000U);
}

TEST_F(tar_file, has_the_same_bytes_for_the_same_files) { EXPECT_EQ(packed(folder_), packed(folder_)); }

TEST_F(tar_file, leaves_nothing_behind_when_the_launch_is_gone) {
  fs::path unpacked;
  {
    const launch read = read_launch(archive(packed(folder_)));
    unpacked = read.folder;
    EXPECT_TRUE(fs::exists(unpacked / "launch.txt"));
  }
  EXPECT_FALSE(fs::exists(unpacked));
}

TEST_F(tar_file, tells_mistakes_by_its_own_name) {
  folder_.file("launch.txt", "kernel add\ngrid 4 2\nblock 64 1 1\n");
  EXPECT_THAT(mistake(packed(folder_)), testing::StartsWith("it.tar/launch.txt:2:9: "));
  folder_.file("launch.txt", text);
  folder_.file("code.sass", "nothing");
  try {
    read_launch_code(read_launch(archive(packed(folder_))));
    ADD_FAILURE();
  } catch (const trace::trace_error& error) {
    EXPECT_EQ(error.file(), (scratch_.path() / "it.tar/code.sass").string());
  }
}

TEST_F(tar_file, that_is_cut_or_damaged_is_refused) {
  const std::string whole = packed(folder_);
  for (std::size_t size = 0; size + 1024 < whole.size(); size += 97) EXPECT_NE(mistake(whole.substr(0, size)), "") << size;
  std::string changed = whole;
  changed[0] = '!';
  EXPECT_EQ(mistake(changed), "it.tar: the archive is damaged: the check sum of a header is wrong");
  EXPECT_THAT(mistake("kernel add\n"), EndsWith("not a launch: that is a folder with a file launch.txt in it, or a tape archive of one"));
}

TEST_F(tar_file, holds_nothing_outside_of_its_folder) {
  std::string changed = packed(folder_);
  const std::string name = changed.substr(0, changed.find('\0'));
  unsigned sum = static_cast<unsigned>(std::stoul(changed.substr(148, 7), nullptr, 8));
  const std::string other = "../x";
  for (std::size_t i = 0; i < std::max(name.size(), other.size()); ++i) {
    const char to = i < other.size() ? other[i] : '\0';
    sum = sum + static_cast<unsigned char>(to) - static_cast<unsigned char>(changed[i]);
    changed[i] = to;
  }
  char digits[8];
  std::snprintf(digits, sizeof digits, "%07o", sum);
  changed.replace(148, 7, digits);
  EXPECT_EQ(mistake(changed), "it.tar: '../x' in the archive lies outside of it");
}

}  // namespace tc::launches::tar_file_test
