// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/packed/packed_format.hpp>
#include <tc/packed/trace_packer.hpp>
#include <tc/trace/limits.hpp>
#include <tc/trace/line_reader.hpp>
#include <tc/trace/trace_error.hpp>

#include "trace_text.hpp"

// Each limit of docs/limits.md on traces: what lies at it is taken, what lies just past it is refused with its place.

namespace tc::trace::test::trace_limits_test {
namespace {

namespace fs = std::filesystem;

/// What the reader of a trace says of it; empty if it takes it.
template <class Read>
std::string refusal_by(const Read& read) {
  try {
    read();
  } catch (const trace_error& error) {
    return error.what();
  }
  return "";
}

std::string refusal_of(const std::string& text, const size_limits& limits = {}) {
  open_options options;
  options.limits = limits;
  return refusal_by([&] { read_text(text, options); });
}

/// Line 4 is the first that may differ from the small trace: the header of an sm_90 kernel.
std::string with_line(const std::string& line) {
  trace_text text;
  text.replace(2, "arch sm_90");
  const std::string word = line.substr(0, line.find(' '));
  const std::size_t place = word == "grid" ? 4 : word == "block" ? 5 : word == "registers" ? 6 : word == "shared" ? 7 : 0;
  return place == 0 ? text.insert(4, line).str() : text.replace(place, line).str();
}

/// A line at a limit, and one just past it with its place and words of the message.
struct bounded_line {
  const char* name;
  std::string at, past;
  const char* place;
  std::string words;
};

std::ostream& operator<<(std::ostream& out, const bounded_line& line) { return out << line.name; }

class trace_limit : public testing::TestWithParam<bounded_line> {};

TEST_P(trace_limit, is_reached_and_not_passed) {
  const bounded_line& line = GetParam();
  EXPECT_EQ(refusal_of(with_line(line.at)), "");
  const std::string message = refusal_of(with_line(line.past));
  EXPECT_EQ(message.rfind(fmt::format("example.trace:{}: ", line.place), 0), 0U) << message;
  EXPECT_NE(message.find(line.words), std::string::npos) << message;
}

std::string range(const char* keyword, std::uint64_t base, std::uint64_t bytes) {
  return fmt::format("{} {:#x} {} zero", keyword, base, bytes);
}

std::string map_of(const std::string& sizes, const std::string& strides, const std::string& box) {
  return fmt::format("tensor-map 0x40000 tiled u8 base 0x10000 sizes {} strides {} box {}", sizes, strides, box);
}

INSTANTIATE_TEST_SUITE_P(
    header, trace_limit,
    testing::Values(bounded_line{"grid_x", fmt::format("grid {} 1 1", max_grid_x), fmt::format("grid {} 1 1", max_grid_x + 1), "4:6",
                                 "from 1 to 2147483647"},
                    bounded_line{"grid_y", "grid 1 65535 1", "grid 1 65536 1", "4:8", "from 1 to 65535"},
                    bounded_line{"grid_z", "grid 1 1 65535", "grid 1 1 65536", "4:10", "from 1 to 65535"},
                    bounded_line{"threads_of_a_row", "block 1024 1 1", "block 1025 1 1", "5:7", "from 1 to 1024"},
                    bounded_line{"threads", "block 32 32 1", "block 32 33 1", "5:7", "1056 threads"},
                    bounded_line{"block_z", "block 1 1 64", "block 1 1 65", "5:11", "from 1 to 64"},
                    bounded_line{"registers", "registers 255", "registers 256", "6:11", "from 1 to 255"},
                    bounded_line{"shared_memory", fmt::format("shared {}", shared_window_bytes),
                                 fmt::format("shared {}", shared_window_bytes + 1), "7:8", "from 0 to 16777216"},
                    bounded_line{"constant_bank", "constant 31 0 4 zero", "constant 32 0 4 zero", "4:10", "from 0 to 31"},
                    bounded_line{"constants", fmt::format("constant 0 0 {} zero", constant_bank_bytes),
                                 fmt::format("constant 0 0 {} zero", constant_bank_bytes + 1), "4:14", "from 1 to 65536"},
                    bounded_line{"memory", range("memory", 0, address_limit), range("memory", 0, address_limit + 1), "4:12",
                                 "from 1 to 144115188075855872"},
                    bounded_line{"last_byte_of_memory", range("memory", address_limit - 1, 1), range("memory", address_limit, 1), "4:8",
                                 "from 0 to 144115188075855871"},
                    bounded_line{"expected_bytes", range("expect", 0, size_limits{}.expected_bytes),
                                 range("expect", 0, size_limits{}.expected_bytes + 1), "4:8",
                                 "the trace expects 68719476737 bytes up to here; 68719476736 are possible"},
                    bounded_line{"tensor_map_size", map_of("4294967295 16", "4294967296", "16 16"),
                                 map_of("4294967296 16", "4294967296", "16 16"), "4:48", "4294967295"},
                    bounded_line{"tensor_map_stride", map_of("16 16", "1099511627760", "16 16"), map_of("16 16", "1099511627776", "16 16"),
                                 "4:62", "1099511627776"},
                    bounded_line{"tensor_map_box", map_of("256 256", "256", "16 256"), map_of("256 256", "256", "16 257"), "4:75", "256"}),
    [](const auto& of) { return of.param.name; });

TEST(trace_limits, clusters_have_up_to_16_ctas) {
  const auto text = [](const std::string& extents) {
    return trace_text().replace(2, "arch sm_90").replace(4, "grid " + extents).insert(6, "cluster " + extents).str();
  };
  EXPECT_EQ(refusal_of(text("16 1 1")), "");
  EXPECT_NE(refusal_of(text("17 1 1")).find("example.trace:6:9: cluster x is 17; it must be from 1 to 16"), std::string::npos);
  EXPECT_NE(refusal_of(text("6 3 1")).find("example.trace:6:9: the cluster has 18 CTAs; it must have 1 to 16"), std::string::npos);
}

std::string load(const std::string& addresses) { return trace_text().replace(10, "/*0000*/ LDG.E.U8 R0, [R2] " + addresses).str(); }

TEST(trace_limits, addresses_are_of_57_bits_and_strides_of_40) {
  EXPECT_EQ(refusal_of(load(fmt::format("mask 00000001 @ {:#x}", address_limit - 1))), "");
  EXPECT_NE(refusal_of(load(fmt::format("mask 00000001 @ {:#x}", address_limit))).find("example.trace:10:44: "), std::string::npos);
  EXPECT_EQ(refusal_of(load(fmt::format("@ 0x0+{}", max_address_stride))), "");
  EXPECT_NE(refusal_of(load(fmt::format("@ 0x0+{}", max_address_stride + 1))).find("from 0 to 1099511627776"), std::string::npos);
}

TEST(trace_limits, lines_have_up_to_16_mib) {
  const std::string start = "# ", rest = trace_text().erase(1).str();
  const auto text = [&](std::size_t bytes) { return "tcsim-trace 1\n" + start + std::string(bytes - start.size(), 'x') + "\n" + rest; };
  EXPECT_EQ(refusal_of(text(line_reader::max_line_bytes)), "");
  EXPECT_EQ(refusal_of(text(line_reader::max_line_bytes + 1)), "example.trace:2:1: the line is longer than 16777216 bytes");
}

/// A trace of so many CTAs, each of so many warps with so many instructions, of which so many differ.
struct large_trace {
  unsigned ctas = 1, warps = 1, instructions = 1, distinct = 1;

  std::string text(const std::string& header = "") const {
    std::string lines = fmt::format("tcsim-trace 1\narch sm_75\nkernel k\ngrid {} 1 1\nblock {} 1 1\n{}", ctas, 32 * warps, header);
    for (unsigned cta = 0, done = 0; cta < ctas; ++cta) {
      lines += fmt::format("cta {} 0 0\n", cta);
      for (unsigned warp = 0; warp < warps; ++warp) {
        lines += fmt::format("warp {}\n", warp);
        for (unsigned i = 0; i < instructions; ++i, ++done) lines += fmt::format("/*{:04x}*/ MOV R{}, RZ\n", 16 * i, done % distinct);
      }
    }
    return lines;
  }
};

/// A text at a limit and one past it, and how that is refused as a text and when it is packed.
void expect_bound(std::uint64_t size_limits::*limit, std::uint64_t value, const std::string& at, const std::string& past,
                  const std::string& of_text, const std::string& of_packed) {
  size_limits limits;
  limits.*limit = value;
  EXPECT_EQ(refusal_of(at, limits), "");
  EXPECT_EQ(refusal_of(past), "");
  EXPECT_EQ(refusal_of(past, limits), "example.trace:" + of_text);
  const scratch_folder folder;
  const auto packed_refusal = [&](const std::string& text) {
    std::ostringstream packed;
    packed::pack_trace(folder.write("k.trace", text), folder.path(), packed);
    return refusal_of(packed.str(), limits);
  };
  EXPECT_EQ(packed_refusal(at), "");
  const std::string message = packed_refusal(past);
  EXPECT_NE(message.find(of_packed), std::string::npos) << message;
}

TEST(trace_limits, bound_ctas) {
  expect_bound(&size_limits::ctas, 3, large_trace{3}.text(), large_trace{4}.text(), "15:5: more than 3 CTAs in a trace",
               "4 CTAs in a packed trace; 3 are possible");
}

TEST(trace_limits, bound_warps) {
  expect_bound(&size_limits::warps, 6, large_trace{2, 3}.text(), large_trace{3, 3}.text(), "21:6: more than 6 warps in a trace",
               "9 warps in a packed trace; 6 are possible");
}

TEST(trace_limits, bound_instructions) {
  expect_bound(&size_limits::instructions, 10, large_trace{2, 1, 5}.text(), large_trace{1, 1, 11}.text(),
               "18:1: more than 10 instructions in a trace", "11 instructions in a packed trace; 10 are possible");
}

TEST(trace_limits, bound_different_instructions) {
  expect_bound(&size_limits::distinct_instructions, 4, large_trace{1, 1, 9, 4}.text(), large_trace{1, 1, 9, 5}.text(),
               "12:10: more than 4 different instructions in a trace", "5 different instructions in a packed trace; 4 are possible");
}

TEST(trace_limits, bound_the_bytes_that_stand_in_the_header) {
  const auto text = [](unsigned bytes) {
    return large_trace{}.text("memory 0x0 1 hex 00\nmemory 0x100 " + std::to_string(bytes) + " hex " + std::string(2 * bytes, '7') + "\n");
  };
  size_limits limits;
  limits.digit_bytes = 100;
  EXPECT_EQ(refusal_of(text(99), limits), "");
  EXPECT_EQ(refusal_of(text(100), limits),
            "example.trace:7:22: the header has 101 bytes as digits up to here; 100 are possible: put them into a file");
}

TEST(trace_limits, bound_what_is_expected_altogether) {
  const std::string last = fmt::format("expect 0x1000 {} zero\n", size_limits{}.expected_bytes - 1);
  EXPECT_EQ(refusal_of(large_trace{}.text("expect 0x0 1 zero\n" + last)), "");
  EXPECT_EQ(refusal_of(large_trace{}.text("expect 0x0 2 zero\n" + last)),
            "example.trace:7:8: the trace expects 68719476737 bytes up to here; 68719476736 are possible");
}

TEST(trace_limits, bound_lines_of_a_kind) {
  for (const std::string keyword : {"constant", "memory", "shared-memory", "expect"}) {
    SCOPED_TRACE(keyword);
    const std::string begin = keyword == "constant" ? "constant 0" : keyword;
    const auto text = [&](std::uint64_t count) {
      std::string header = "shared 65536\n";
      for (std::uint64_t i = 0; i < count; ++i) header += fmt::format("{} {} 1 zero\n", begin, i);
      return large_trace{}.text(header);
    };
    if (keyword == "memory") {
      EXPECT_EQ(refusal_of(text(size_limits{}.ranges)), "");
    }
    size_limits limits;
    (keyword == "expect" ? limits.expectations : limits.ranges) = 5;
    EXPECT_EQ(refusal_of(text(5), limits), "");
    EXPECT_EQ(refusal_of(text(6), limits), fmt::format("example.trace:12:1: more than 5 lines '{}' in a trace", keyword));
  }
}

TEST(trace_limits, bound_tensor_maps) {
  const auto text = [](std::uint64_t count) {
    std::string header;
    for (std::uint64_t i = 0; i < count; ++i) header += fmt::format("tensor-map {} tiled u8 base 0 sizes 16 box 16\n", 64 * i);
    return large_trace{}.text(header);
  };
  size_limits limits;
  limits.tensor_maps = 20;
  EXPECT_EQ(refusal_of(text(20), limits), "");
  EXPECT_EQ(refusal_of(text(21), limits), "example.trace:26:1: more than 20 lines 'tensor-map' in a trace");
}

TEST(trace_limits, are_those_of_the_documentation) {
  std::ifstream file(fs::path(TC_SOURCE_DIR) / "docs/limits.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const size_limits limits;
  for (const std::uint64_t value : {max_grid_x,
                                    max_grid_yz,
                                    max_block_threads,
                                    max_block_z,
                                    max_cluster_ctas,
                                    shared_window_bytes,
                                    constant_bank_bytes,
                                    address_limit,
                                    limits.text_bytes,
                                    limits.ranges,
                                    limits.expectations,
                                    limits.tensor_maps,
                                    limits.digit_bytes,
                                    limits.expected_bytes,
                                    limits.ctas,
                                    limits.warps,
                                    limits.distinct_instructions,
                                    limits.instructions,
                                    std::uint64_t{line_reader::max_line_bytes},
                                    std::uint64_t{packed::max_plain_bytes}})
    EXPECT_NE(text.find(std::to_string(value)), std::string::npos) << value;
}

TEST(decompression_bomb, of_text_is_refused_at_the_limit) {
  const std::string text = trace_text().str() + std::string(100'000, '\n');
  size_limits limits;
  limits.text_bytes = text.size();
  for (const std::string& packed : {xz(text), gzip(text)}) {
    EXPECT_LT(50 * packed.size(), text.size());
    EXPECT_EQ(refusal_of(packed, limits), "");
  }
  EXPECT_EQ(refusal_of(text + '\n', limits), "") << "what is not compressed takes as much room as its file";
  for (const std::string& packed : {xz(text + '\n'), gzip(text + '\n'), gzip(text) + gzip("\n")}) {
    const std::string message = refusal_of(packed, limits);
    EXPECT_EQ(message.rfind("example.trace:", 0), 0U) << message;
    EXPECT_NE(message.find(fmt::format("more than {} bytes when they are unpacked", text.size())), std::string::npos) << message;
  }
}

TEST(decompression_bomb, of_one_line_is_refused_before_it_is_unpacked_whole) {
  const std::string zeros(line_reader::max_line_bytes + 1, '\0');
  for (const std::string& packed : {xz(zeros), gzip(zeros)})
    EXPECT_EQ(refusal_of(packed), "example.trace:1:1: the line is longer than 16777216 bytes");
}

/// Paths of image files, in a folder where `folder/inside.bin` and `outside.bin` exist.
class image_path : public testing::Test {
 protected:
  image_path() {
    fs::create_directories(folder() / "sub");
    std::ofstream(folder() / "inside.bin") << "abcd";
    std::ofstream(folder() / "sub/below.bin") << "abcd";
    std::ofstream(scratch_.path() / "outside.bin") << "abcd";
    fs::create_symlink("../outside.bin", folder() / "link.bin");
    fs::create_symlink("..", folder() / "way");
    fs::create_symlink("sub/below.bin", folder() / "within.bin");
  }

  fs::path folder() const { return scratch_.path() / "folder"; }
  std::string refusal(const std::string& path, const char* keyword = "memory") const {
    const std::string text = trace_text().insert(8, fmt::format("{} 0x0 4 file {}", keyword, path)).str();
    std::ofstream(folder() / "k.trace") << text;
    return refusal_by([&] { trace::open(folder() / "k.trace"); });
  }

  scratch_folder scratch_;
};

TEST_F(image_path, may_lead_into_the_folder_and_below) {
  for (const char* const path : {"inside.bin", "sub/below.bin", "sub/../inside.bin", "./inside.bin", "within.bin"})
    EXPECT_EQ(refusal(path), "") << path;
}

TEST_F(image_path, must_not_leave_the_folder) {
  const std::string absolute = (folder() / "inside.bin").string(), outside = (scratch_.path() / "outside.bin").string();
  for (const std::string& path : {std::string("../outside.bin"), std::string("sub/../../outside.bin"), std::string("../folder/inside.bin"),
                                  absolute, outside, std::string("/etc/passwd"), std::string("../none.bin")}) {
    const std::string message = refusal(path);
    EXPECT_NE(message.find(fmt::format("k.trace:8:19: the image file {} lies outside of the trace's folder", path)), std::string::npos)
        << path << ": " << message;
  }
  for (const char* const keyword : {"expect", "shared-memory"})
    EXPECT_NE(refusal("../outside.bin", keyword).find("lies outside"), std::string::npos);
}

TEST_F(image_path, must_not_leave_the_folder_by_links) {
  for (const char* const path : {"link.bin", "way/outside.bin", "way/folder/../outside.bin"}) {
    const std::string message = refusal(path);
    EXPECT_NE(message.find("lies outside of the trace's folder"), std::string::npos) << path << ": " << message;
  }
}

TEST_F(image_path, of_a_packed_trace_must_not_leave_its_folder) {
  ASSERT_EQ(refusal("inside.bin"), "");
  std::ostringstream packed;
  packed::pack_trace(folder() / "k.trace", folder(), packed);
  std::ofstream(folder() / "k.tct", std::ios::binary) << packed.str();
  const auto message = [&] { return refusal_by([&] { trace::open(folder() / "k.tct"); }); };
  EXPECT_EQ(message(), "");
  fs::remove(folder() / "inside.bin");
  fs::create_symlink("../outside.bin", folder() / "inside.bin");
  EXPECT_NE(message().find("k.tct:8:19: the image file inside.bin, which is a link, lies outside of the trace's folder"), std::string::npos)
      << message();
}

}  // namespace
}  // namespace tc::trace::test::trace_limits_test
