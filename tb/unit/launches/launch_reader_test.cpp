// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <string>

#include <gtest/gtest.h>

#include <tc/launches/launch_reader.hpp>
#include <tc/trace/trace_error.hpp>

#include "launch_folder.hpp"

namespace tc::launches::launch_reader_test {

using test::launch_folder;
using testing::HasSubstr;

const std::string first = "kernel add\ngrid 4 2 1\nblock 64 1 1\n";

/// What is wrong with a launch; empty if nothing is.
std::string mistake(const std::string& text) {
  const launch_folder folder(text);
  try {
    read_launch(folder.path());
  } catch (const trace::trace_error& error) {
    return std::string(error.what()).substr(folder.path().string().size() + 1);
  }
  return {};
}

TEST(launch_reader, reads_format_1_as_recorders_write_it) {
  const launch_folder folder(first +
                             "cluster 1 1 1\nshared dynamic 64 static 128\nregisters 32\nparam 8 4 80000000\nparam 0 8 0000e05f957f0000\n"
                             "memory 0x20000 8\nmemory 0x10000 16\ntolerance 0x10000 f32 4\nglobal table 0x30000 8\n");
  folder.file("10000.pre", "0123456789abcdef");
  folder.file("10000.post", "0123456789abcdeg");
  const launch read = read_launch(folder.path());
  EXPECT_EQ(read.version, 1U);
  EXPECT_EQ(read.kernel, "add");
  EXPECT_EQ(read.grid.count(), 8U);
  EXPECT_EQ(read.block.x, 64U);
  EXPECT_EQ(read.shared_bytes(), 192U);
  EXPECT_EQ(read.registers, 32U);
  ASSERT_EQ(read.parameters.size(), 2U);
  EXPECT_EQ(read.parameters[1].bytes.front(), 0x80);
  ASSERT_EQ(read.allocations.size(), 3U);
  EXPECT_EQ(read.allocations[2].name, "table");
  EXPECT_EQ(read.allocations[0].base, 0x10000U);
  EXPECT_TRUE(read.allocations[0].after);
  EXPECT_EQ(read.allocations[0].tolerance->units, 4);
  EXPECT_FALSE(read.allocations[1].after);
}

TEST(launch_reader, reads_what_format_2_has_besides) {
  const launch_folder folder("launch 2\n# of a test\n" + first +
                             "code other.sass at 0x7f0000001000\nlocal 512\ncooperative\ncarveout 50\nconstant 3 0x10 4 hex 01020304\n"
                             "constant 0 0x118 2 file bank0.bin\nglobal table 0x30000 4 hex 0a0b0c0d\nmemory 0x10000 64 random f16 seed 7\n"
                             "memory 0x20000 16 zero\nmemory 0x40000 4 file image.bin\n");
  folder.file("other.sass", "");
  folder.file("bank0.bin", "ab");
  folder.file("image.bin", "abcd");
  const launch_folder without("launch 2\n" + first + "code other.sass\n");
  EXPECT_THROW(read_launch(without.path()), trace::trace_error);
  const launch read = read_launch(folder.path());
  EXPECT_EQ(read.code.filename(), "other.sass");
  EXPECT_EQ(read.code_address, 0x7f0000001000U);
  EXPECT_EQ(read.local_bytes, 512U);
  EXPECT_TRUE(read.is_cooperative);
  EXPECT_EQ(read.carveout_percent, 50U);
  ASSERT_EQ(read.constants.size(), 2U);
  EXPECT_EQ(read.constants[0].offset, 0x10U);
  EXPECT_EQ(read.constants[1].bytes, (std::vector<std::uint8_t>{'a', 'b'}));
  EXPECT_EQ(read.allocations[2].name, "table");
  EXPECT_EQ(std::get<random_content>(read.allocations[0].before).seed, 7U);
}

TEST(launch_reader, says_line_and_column_of_a_mistake) {
  EXPECT_THAT(mistake("kernel add\ngrid 4 2\nblock 1 1 1\n"), HasSubstr("launch.txt:2:9: "));
  EXPECT_THAT(mistake("kernel add\ngrid 4 65536 1\nblock 1 1 1\n"), HasSubstr("launch.txt:2:8: "));
  EXPECT_THAT(mistake(first + "colour red\n"), HasSubstr("launch.txt:4:1: unknown keyword 'colour'; a launch has lines block, carveout"));
  EXPECT_THAT(mistake(first + "local 8\n"),
              HasSubstr("launch.txt:4:1: 'local' is of format 2; such a file begins with the line 'launch 2'"));
  EXPECT_THAT(mistake(first + "grid 1 1 1\n"), HasSubstr("launch.txt:4:1: a launch has one line 'grid', and line 2 is one"));
  EXPECT_THAT(mistake(first + "param 0 4 0102\n"), HasSubstr("launch.txt:4:11: 4 hexadecimal digits; 4 bytes need 8"));
  EXPECT_THAT(mistake(first + "param 0 2 01g2\n"), HasSubstr("launch.txt:4:13: not a hexadecimal digit"));
  EXPECT_THAT(mistake(first + "param 0 8 0000000000000000\nparam 4 4 00000000\n"),
              HasSubstr("launch.txt:5:7: this parameter overlaps the one of line 4"));
  EXPECT_THAT(mistake(first + "memory 0x100 64\nmemory 0x120 64\n"), HasSubstr("launch.txt:5:8: this memory overlaps that of line 4"));
  EXPECT_THAT(mistake(first + "memory 0x100 64 zero\n"), HasSubstr("launch.txt:4:17: unexpected text; format 1 has"));
  EXPECT_THAT(mistake("launch 2\n" + first + "memory 0x100 64 random f17 seed 1\n"), HasSubstr("launch.txt:5:24: unknown type 'f17'"));
  EXPECT_THAT(mistake("launch 2\n" + first + "memory 0x100 64 file ../x\n"), HasSubstr("lies outside of the launch's folder"));
  EXPECT_THAT(mistake("kernel add\ngrid 4 2 1\n"), HasSubstr("the line 'block' is missing"));
  EXPECT_THAT(mistake("kernel add\ngrid 3 1 1\nblock 1 1 1\ncluster 2 1 1\n"),
              HasSubstr("launch.txt:4:9: the grid is not made of whole clusters"));
  EXPECT_THAT(mistake("kernel add\ngrid 3 1 1\nblock 1025 1 1\n"),
              HasSubstr("launch.txt:3:7: a block of 1025 threads; it has at most 1024"));
  EXPECT_THAT(mistake(first + "tolerance 0x100 f32 4\n"),
              HasSubstr("launch.txt:4:11: no line 'memory' in front of this one has that address"));
  EXPECT_THAT(mistake("launch 3\n" + first), HasSubstr("launch.txt:1:8: "));
}

TEST(launch_reader, finds_a_cubin_where_there_is_no_listing) {
  const launch_folder folder(first);
  std::filesystem::remove(folder.path() / "code.sass");
  folder.file("code.cubin.xz", "");
  EXPECT_EQ(read_launch(folder.path()).code.filename(), "code.cubin.xz");
}

TEST(launch_reader, says_that_a_folder_is_no_launch_or_has_no_code) {
  const scratch_folder empty;
  EXPECT_THROW(read_launch(empty.path()), trace::trace_error);
  const launch_folder folder(first);
  std::filesystem::remove(folder.path() / "code.sass");
  EXPECT_THROW(read_launch(folder.path()), trace::trace_error);
}

}  // namespace tc::launches::launch_reader_test
