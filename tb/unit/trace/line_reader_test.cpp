// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/trace/line_reader.hpp>
#include <tc/trace/trace_error.hpp>

#include "trace_text.hpp"

namespace tc::trace::test::line_reader_test {
namespace {

std::vector<std::string> lines_of(line_reader& reader) {
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  return lines;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  line_reader reader(in, "text");
  return lines_of(reader);
}

/// Text of many lines that does not compress to nothing.
std::string long_text() {
  std::string text;
  for (unsigned i = 0; i < 20000; ++i) text += "line " + std::to_string(i * 2654435761U) + "\n";
  return text;
}

TEST(line_reader, counts_lines_and_notes_a_missing_line_feed) {
  std::istringstream in("a\n\nb");
  line_reader reader(in, "text");
  std::string_view line;
  EXPECT_EQ(reader.line(), 0U);
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "a");
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "");
  EXPECT_TRUE(reader.terminated());
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, "b");
  EXPECT_EQ(reader.line(), 3U);
  EXPECT_FALSE(reader.terminated());
  EXPECT_FALSE(reader.next(line));
}

TEST(line_reader, passes_on_lines_longer_than_its_buffer) {
  const std::string line(300'000, 'x');
  EXPECT_EQ(lines_of("a\n" + line + "\nb\n"), (std::vector<std::string>{"a", line, "b"}));
}

TEST(line_reader, refuses_a_line_without_end) {
  EXPECT_THROW(lines_of(std::string(2 * line_reader::max_line_bytes + 1, 'x')), trace_error);
}

TEST(line_reader, unpacks_xz_and_gzip_whatever_the_name) {
  const std::string text = long_text();
  const std::vector<std::string> lines = lines_of(text);
  EXPECT_EQ(lines.size(), 20000U);
  EXPECT_EQ(lines_of(xz(text)), lines);
  EXPECT_EQ(lines_of(gzip(text)), lines);
  EXPECT_EQ(lines_of(xz("a\n") + xz("b\n")), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(lines_of(gzip("a\n") + gzip("b\n")), (std::vector<std::string>{"a", "b"}));
}

TEST(line_reader, refuses_compressed_data_cut_off_anywhere) {
  for (const std::string& packed : {xz(long_text()), gzip(long_text())})
    for (const double part : {0.001, 0.01, 0.3, 0.9, 0.9999}) {
      const auto bytes = static_cast<std::size_t>(part * static_cast<double>(packed.size()));
      EXPECT_THROW(lines_of(packed.substr(0, bytes)), trace_error) << bytes << " of " << packed.size();
    }
  for (const std::string& packed : {xz("a\nb\n"), gzip("a\nb\n")})
    for (std::size_t bytes = 1; bytes < packed.size(); ++bytes)
      EXPECT_THROW(lines_of(packed.substr(0, bytes)), trace_error) << bytes << " of " << packed.size();
}

TEST(line_reader, refuses_damaged_compressed_data) {
  for (std::string packed : {xz(long_text()), gzip(long_text())}) {
    packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0x10);
    EXPECT_THROW(lines_of(packed), trace_error);
  }
}

TEST(line_reader, names_the_line_where_the_data_break_off) {
  const std::string packed = gzip(long_text());
  std::istringstream in(packed.substr(0, packed.size() / 2));
  line_reader reader(in, "half.trace.gz");
  try {
    lines_of(reader);
    FAIL() << "not refused";
  } catch (const trace_error& error) {
    EXPECT_EQ(error.file(), "half.trace.gz");
    EXPECT_EQ(error.line(), reader.line() + 1);
    EXPECT_NE(std::string(error.what()).find("damaged or cut off"), std::string::npos);
  }
}

TEST(line_reader, refuses_files_that_it_cannot_read) {
  const scratch_folder folder;
  EXPECT_THROW(line_reader(folder.path() / "none.trace"), trace_error);
  EXPECT_THROW(line_reader(folder.path()), trace_error);
  EXPECT_THROW(line_reader(folder.write("text.trace.xz", "tcsim-trace 1\n")), trace_error);
  EXPECT_THROW(line_reader(folder.write("text.trace.gz", xz("tcsim-trace 1\n"))), trace_error);
  EXPECT_THROW(line_reader(folder.write("empty.xz", "")), trace_error);
}

TEST(line_reader, opens_compressed_traces_by_path) {
  const scratch_folder folder;
  for (const auto& path : {folder.write("example.trace", trace_text().str()), folder.write("example.trace.xz", xz(trace_text().str())),
                           folder.write("example.trace.gz", gzip(trace_text().str()))})
    EXPECT_EQ(trace::open(path).summary().instructions, 2U) << path;
}

}  // namespace
}  // namespace tc::trace::test::line_reader_test
