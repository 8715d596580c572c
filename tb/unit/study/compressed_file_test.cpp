// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <scratch_folder.hpp>
#include <string>

#include <gtest/gtest.h>

#include <tc/study/compressed_file.hpp>

namespace tc::study::compressed_file_test {
namespace {

class compressed_file_test : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& content, compression how) const {
    const auto path = folder_.path() / name;
    std::ofstream file(path, std::ios::binary);
    write_compressed(file, how, [&](std::ostream& packed) { packed << content; });
    return path;
  }
  static std::string message_of(const std::filesystem::path& path) {
    try {
      compressed_input input(path);
      std::string all(1 << 20, ' ');
      input.read(all.data(), all.size());
    } catch (const vector_error& error) {
      return error.what();
    }
    return "";
  }

  const std::string content_ = "a line\n" + std::string(100000, 'x') + "the end";

 private:
  scratch_folder folder_;
};

TEST_F(compressed_file_test, reads_back_what_was_written_by_content) {
  for (const auto how : {compression::none, compression::xz, compression::gzip}) {
    compressed_input input(write("no_ending", content_, how));
    std::string line;
    ASSERT_TRUE(input.read_line(line, 100));
    EXPECT_EQ(line, "a line");
    std::string rest(200000, ' ');
    rest.resize(input.read(rest.data(), rest.size()));
    EXPECT_EQ("a line\n" + rest, content_);
  }
}

TEST_F(compressed_file_test, packs) {
  EXPECT_LT(std::filesystem::file_size(write("packed", content_, compression::xz)), content_.size() / 10);
  EXPECT_LT(std::filesystem::file_size(write("packed", content_, compression::gzip)), content_.size() / 10);
}

TEST_F(compressed_file_test, line_that_does_not_end) {
  std::string line;
  compressed_input input(write("endless", std::string(1000, 'x'), compression::none));
  EXPECT_FALSE(input.read_line(line, 100));
}

TEST_F(compressed_file_test, names_tell_the_compression) {
  EXPECT_EQ(compression_of("a.dot.xz"), compression::xz);
  EXPECT_EQ(compression_of("a.bin.gz"), compression::gzip);
  EXPECT_EQ(compression_of("a.bin"), compression::none);
  EXPECT_EQ(without_compression("x/a.dot.xz"), "x/a.dot");
  EXPECT_EQ(without_compression("a.bin"), "a.bin");
}

TEST_F(compressed_file_test, refuses_what_it_cannot_read) {
  EXPECT_NE(message_of("/nowhere/a.bin").find("/nowhere/a.bin: cannot be opened: No such file"), std::string::npos);
  EXPECT_NE(message_of(std::filesystem::temp_directory_path()).find("is a folder"), std::string::npos);
  EXPECT_NE(message_of(write("plain.xz", content_, compression::none)).find("does not hold xz data"), std::string::npos);
  EXPECT_NE(message_of(write("plain.gz", content_, compression::none)).find("does not hold gzip data"), std::string::npos);
}

TEST_F(compressed_file_test, damaged_data) {
  for (const auto how : {compression::xz, compression::gzip}) {
    const auto path = write("damaged", content_, how);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(40);
    file.write("damage", 6);
    file.close();
    EXPECT_NE(message_of(path).find("damaged"), std::string::npos);
  }
}

TEST_F(compressed_file_test, ends_where_the_file_takes_no_more) {
  std::string content(1 << 20, '\0');
  for (std::size_t i = 1; i < content.size(); ++i) content[i] = static_cast<char>(content[i - 1] * 5 + static_cast<int>(i >> 8));
  for (const compression how : {compression::xz, compression::gzip}) {
    std::ofstream full("/dev/full");
    EXPECT_THROW(write_compressed(full, how, [&](std::ostream& packed) { packed << content; }), std::ios_base::failure);
  }
}

}  // namespace
}  // namespace tc::study::compressed_file_test
