// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/packed/packed_format.hpp>
#include <tc/packed/trace_packer.hpp>
#include <tc/trace/line_reader.hpp>
#include <tc/trace/trace_error.hpp>

#include "trace/recorded_traces.hpp"
#include "trace/trace_text.hpp"

namespace tc::trace::test::packed_trace_test {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string packed(const fs::path& text, const fs::path& target) {
  std::ostringstream out;
  packed::pack_trace(text, target, out);
  return out.str();
}

std::string unpacked(const fs::path& file, const fs::path& target) {
  std::ostringstream out;
  packed::unpack_trace(file, target, out);
  return out.str();
}

trace read_packed(const std::string& bytes) {
  std::istringstream in(bytes);
  return trace::read(in, "example.tct");
}

void expect_same_step(const step& a, const step& b) {
  ASSERT_EQ(a.code_index, b.code_index);
  ASSERT_EQ(a.code->text, b.code->text);
  ASSERT_EQ(a.pc, b.pc);
  ASSERT_EQ(a.mask, b.mask);
  ASSERT_EQ(a.line, b.line);
  ASSERT_EQ(a.addresses.lanes(), b.addresses.lanes());
  for_each_lane(a.addresses.lanes(), [&](unsigned lane) { ASSERT_EQ(a.addresses[lane], b.addresses[lane]); });
}

void expect_same_warp(warp_player a, warp_player b) {
  EXPECT_EQ(a.warp(), b.warp());
  ASSERT_EQ(a.presets().size(), b.presets().size());
  for (std::size_t i = 0; i < a.presets().size(); ++i) EXPECT_EQ(a.presets()[i].values, b.presets()[i].values);
  step one, other;
  while (a.next(one)) {
    ASSERT_TRUE(b.next(other));
    expect_same_step(one, other);
  }
  EXPECT_FALSE(b.next(other));
}

template <class Image>
void expect_same_images(const std::vector<Image>& a, const std::vector<Image>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].base, b[i].base);
    ASSERT_EQ(a[i].content.bytes(), b[i].content.bytes());
    std::vector<std::uint8_t> one(a[i].content.bytes()), other(one.size());
    a[i].content.copy(0, one.data(), one.size());
    b[i].content.copy(0, other.data(), other.size());
    EXPECT_EQ(one, other);
  }
}

void expect_same(const trace& a, const trace& b) {
  EXPECT_EQ(a.header().registers, b.header().registers);
  EXPECT_EQ(a.header().arch_line, b.header().arch_line);
  expect_same_images(a.header().memory, b.header().memory);
  expect_same_images(a.header().expectations, b.header().expectations);
  EXPECT_EQ(a.summary().kernel, b.summary().kernel);
  EXPECT_EQ(a.summary().opcodes, b.summary().opcodes);
  EXPECT_EQ(a.summary().instructions, b.summary().instructions);
  ASSERT_EQ(a.code_size(), b.code_size());
  for (std::uint32_t i = 0; i < a.code_size(); ++i) EXPECT_EQ(a.code_line(i), b.code_line(i));
  ASSERT_EQ(a.ctas().size(), b.ctas().size());
  for (std::size_t cta = 0; cta < a.ctas().size(); ++cta) {
    EXPECT_EQ(a.ctas()[cta].x, b.ctas()[cta].x);
    EXPECT_EQ(a.ctas()[cta].y, b.ctas()[cta].y);
    EXPECT_EQ(a.ctas()[cta].z, b.ctas()[cta].z);
    ASSERT_EQ(a.ctas()[cta].warp_count, b.ctas()[cta].warp_count);
    for (std::uint32_t warp = 0; warp < a.ctas()[cta].warp_count; ++warp)
      expect_same_warp(a.play(a.ctas()[cta], warp), b.play(b.ctas()[cta], warp));
  }
}

/// A trace with every kind of line, in more than one style, and two lines that say nothing.
std::string varied_text() {
  std::string digits;
  for (unsigned i = 0; i < 100; ++i) digits += "0" + std::string(1, "0123456789abcdef"[i % 16]);
  return "tcsim-trace 1\n# a comment\narch sm_75\nkernel a file of hex 00\ngrid 2 2 1\nblock 48 1 1\nregisters 64\nshared 4096\n"
         "constant 0 0x160 8 hex 0000010000000000\nmemory 0x10000 100 hex " +
         digits + "\nmemory 0x20000 64 fill 7\nexpect 0x30000 4 hex 00112233\n" +
         "cta 1 1 0\nwarp 1\nreg R8 {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, "
         "28, "
         "29, 30, 31}\n"
         "/*0000*/ [B------:R-:W-:-:S02] IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]\n"
         "/*0010*/ [B------:R0:W5:-:S04] LDG.E.SYS R0, [R2.64+UR4] @ 0x10000+4\n"
         "  /*10*/ [B------:R0:W5:-:S04]   LDG.E.SYS R0, [R2.64+UR4]  @ 65536 \n"
         "/*0010*/ [B------:R0:W5:-:S04] LDG.E.SYS R0, [R2.64+UR4] mask 00000010 @ 0x10000-8\n"
         "# another comment\n\n"
         "/*00000040*/ @P0 STG.E.SYS [R4], R28 mask 00008001 @ {0x30000, 0x30004}\n"
         "/*fff0*/ @!P0 BRA `(.L_x_0) mask 00000000\n"
         "/*12340*/ EXIT\nwarp 0\n/*0000*/ EXIT\ncta 0 0 0\nwarp 0\n/*0000*/ NOP\n/*0000*/ NOP\n/*0010*/ EXIT";
}

TEST(packed_trace, of_a_recorded_trace_has_the_same_content_and_gives_back_its_text) {
  const scratch_folder folder;
  for (const fs::path& path : recorded_traces()) {
    if (path.extension() != ".trace") continue;
    SCOPED_TRACE(path.string());
    fs::copy(path.parent_path(), folder.path(), fs::copy_options::recursive | fs::copy_options::overwrite_existing);  // with its images
    const fs::path file = folder.write("kernel.tct", packed(folder.path() / path.filename(), folder.path()));
    expect_same(trace::open(path), trace::open(file));
    EXPECT_EQ(unpacked(file, folder.path()), content_of(path));
  }
}

TEST(packed_trace, gives_back_lines_of_any_style) {
  const scratch_folder folder;
  for (const std::string& text : {varied_text(), varied_text() + "\n\n# the end\n"}) {
    const fs::path source = folder.write("kernel.trace", text);
    const fs::path file = folder.write("kernel.tct", packed(source, folder.path()));
    EXPECT_EQ(unpacked(file, folder.path()), text);
    expect_same(trace::open(source), trace::open(file));
  }
}

TEST(packed_trace, keeps_the_shapes_that_a_header_declares) {
  const scratch_folder folder;
  const std::string text = trace_text()
                               .insert(8, "matrix-shape HMMA.16832.F32 m 16 n 8 k 32 a f16 b f16 d f32")
                               .replace(11, "/*0000*/ HMMA.16832.F32 R32, R8, R16, R24")
                               .str();
  const fs::path source = folder.write("kernel.trace", text);
  const fs::path file = folder.write("kernel.tct", packed(source, folder.path()));
  EXPECT_EQ(trace::open(file).code(0).mma->k, 32);
  EXPECT_EQ(trace::open(file).header().matrix_shapes.declared(), std::vector<std::string>{"HMMA.16832.F32"});
  EXPECT_EQ(unpacked(file, folder.path()), text);
}

TEST(packed_trace, takes_the_shapes_that_a_program_declares) {
  const scratch_folder folder;
  const fs::path source = folder.write("kernel.trace", trace_text().replace(10, "/*0000*/ HMMA.16832.F32 R32, R8, R16, R24").str());
  open_options options;
  isa::mma_operation mma;
  mma.m = 16;
  mma.n = 8;
  mma.k = 32;
  mma.a = mma.b = isa::element_type::f16;
  mma.c = mma.d = isa::element_type::f32;
  options.matrix_shapes.declare("HMMA.16832.F32", mma);
  std::ostringstream bytes, text;
  packed::pack_trace(source, folder.path(), bytes, options);
  const fs::path file = folder.write("kernel.tct", bytes.str());
  EXPECT_EQ(trace::open(file, options).code(0).mma->k, 32);
  EXPECT_THROW(trace::open(file), trace_error);
  packed::unpack_trace(file, folder.path(), text, options);
  EXPECT_EQ(text.str(), content_of(source));
}

TEST(packed_trace, of_a_loop_is_short_and_spans_blocks) {
  std::string text = "tcsim-trace 1\narch sm_75\nkernel loop\ngrid 1 1 1\nblock 64 1 1\ncta 0 0 0\n";
  for (const char* const warp : {"warp 0\n", "warp 1\n"}) {
    text += warp;
    for (unsigned i = 0; i < 10'000; ++i)
      text += "/*0010*/ LDG.E.SYS R0, [R2] @ " + std::to_string(0x10000 + 128 * i) + "+4\n/*0020*/ NOP\n";
    text += "/*0030*/ EXIT\n";
  }
  const scratch_folder folder;
  const fs::path source = folder.write("kernel.trace", text);
  const fs::path file = folder.write("kernel.tct", packed(source, folder.path()));
  EXPECT_LT(10 * fs::file_size(file), text.size());
  expect_same(trace::open(source), trace::open(file));
  EXPECT_EQ(unpacked(file, folder.path()), text);
}

TEST(packed_trace, names_image_files_from_where_it_is) {
  const scratch_folder folder;
  const auto text_with = [](const std::string& path) {
    return trace_text().insert(8, "memory 0x10000 4 file " + path).insert(8, "memory 0x20000 4 hex 00112233").str();
  };
  fs::create_directory(folder.path() / "in");
  folder.write("in/an image.bin", "abcd");
  const fs::path source = folder.write("in/kernel.trace", text_with("an image.bin"));
  const fs::path file = folder.write("kernel.tct", packed(source, folder.path()));
  EXPECT_EQ(trace::open(file).header().memory.at(1).content.bytes(), 4U);
  EXPECT_EQ(unpacked(file, folder.path() / "in"), text_with("an image.bin"));
  EXPECT_EQ(unpacked(file, folder.path()), text_with("in/an image.bin"));
  fs::current_path(folder.path());
  EXPECT_EQ(unpacked("kernel.tct", "in"), text_with("an image.bin"));
  EXPECT_EQ(unpacked("kernel.tct", ""), text_with("in/an image.bin"));
}

TEST(packed_trace, holds_the_bytes_of_image_files_that_would_be_outside_of_its_folder) {
  const scratch_folder folder;
  fs::create_directory(folder.path() / "in");
  fs::create_directory(folder.path() / "out");
  folder.write("in/image.bin", "abcd");
  const fs::path source = folder.write("in/kernel.trace", trace_text().insert(8, "memory 0x10000 4 file image.bin").str());
  const std::string whole = trace_text().insert(8, "memory 0x10000 4 hex 61626364").str();
  const fs::path beside = folder.write("in/kernel.tct", packed(source, folder.path() / "in"));
  const fs::path elsewhere = folder.write("out/kernel.tct", packed(source, folder.path() / "out"));
  EXPECT_EQ(unpacked(beside, folder.path() / "out"), whole);
  EXPECT_EQ(unpacked(elsewhere, folder.path() / "out"), whole);
  EXPECT_EQ(trace::open(elsewhere).header().memory.back().content.bytes(), 4U);
}

TEST(packed_trace, is_not_written_where_an_image_file_would_be_outside_that_is_too_large_for_a_line) {
  const scratch_folder folder;
  fs::create_directory(folder.path() / "in");
  fs::create_directory(folder.path() / "out");
  constexpr std::size_t bytes = tc::trace::line_reader::max_line_bytes / 2;
  folder.write("in/image.bin", std::string(bytes, 'x'));
  const std::string line = "memory 0x10000 " + std::to_string(bytes) + " file image.bin";
  const fs::path source = folder.write("in/kernel.trace", trace_text().insert(8, line).str());
  try {
    packed(source, folder.path() / "out");
    FAIL() << "it is written";
  } catch (const trace_error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("image.bin is not in the folder of the trace that is to be written, and is too large"), std::string::npos)
        << message;
  }
}

TEST(packed_trace, tells_every_damage) {
  const scratch_folder folder;
  const std::string bytes = packed(folder.write("kernel.trace", varied_text()), folder.path());
  EXPECT_NO_THROW(read_packed(bytes).verify());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1 << i % 8);
    EXPECT_THROW(read_packed(damaged).verify(), trace_error) << "byte " << i;
    EXPECT_THROW(read_packed(bytes.substr(0, i)).verify(), trace_error) << "cut off at " << i;
  }
  EXPECT_THROW(read_packed(bytes + '\0'), trace_error);
}

std::string message_of(const std::string& bytes) {
  try {
    read_packed(bytes);
  } catch (const trace_error& error) {
    return error.what();
  }
  return "";
}

TEST(packed_trace, reads_steps_when_they_are_played) {
  const scratch_folder folder;
  std::string bytes = packed(folder.write("kernel.trace", trace_text().str()), folder.path());
  bytes[packed::preamble_bytes + packed::block_head::bytes] ^= 1;  // the first block holds steps, as there are no images
  const trace t = read_packed(bytes);
  try {
    t.play(t.ctas()[0], 0);
    ADD_FAILURE() << "played damaged steps";
  } catch (const trace_error& error) {
    EXPECT_STREQ(error.what(), "example.tct: offset 0x10: the packed trace is damaged: the block does not agree with its checksum");
  }
}

/// A packed trace with another byte in its first block, which holds steps, and the checksum that belongs to it.
std::string with_block_byte(std::string bytes, std::size_t at, char value) {
  bytes[packed::preamble_bytes + at] = value;
  const auto* const block = reinterpret_cast<const std::uint8_t*>(bytes.data()) + packed::preamble_bytes;
  const std::uint32_t checksum = packed::checksum_of(block + 4, packed::block_head::bytes - 4 + packed::block_head::decode(block).stored);
  for (unsigned i = 0; i < 4; ++i) bytes[packed::preamble_bytes + i] = static_cast<char>(checksum >> (8 * i));
  return bytes;
}

std::string with_step_byte(const std::string& bytes, std::size_t at, char value) {
  return with_block_byte(bytes, packed::block_head::bytes + at, value);
}

TEST(packed_trace, refuses_blocks_that_would_fill_the_memory) {
  const scratch_folder folder;
  const std::string bytes = packed(folder.write("kernel.trace", trace_text().str()), folder.path());
  constexpr std::size_t last_byte_of_plain_count = 11;
  try {
    read_packed(with_block_byte(bytes, last_byte_of_plain_count, '\x7f')).verify();
    ADD_FAILURE() << "read a block of 2 GiB";
  } catch (const trace_error& error) {
    EXPECT_NE(std::string(error.what()).find("a packed trace has blocks of up to 268435456"), std::string::npos) << error.what();
  }
}

TEST(packed_trace, may_be_wrong_although_it_is_not_damaged) {
  const scratch_folder folder;
  const std::string bytes = packed(folder.write("kernel.trace", trace_text().str()), folder.path());
  EXPECT_NO_THROW(read_packed(with_step_byte(bytes, 0, 1)).verify());
  for (const char warp : {'\2', '\3', '\x7f'}) EXPECT_THROW(read_packed(with_step_byte(bytes, 0, warp)).verify(), trace_error);
  unsigned refused = 0;  // a few are other steps that a text could have
  for (unsigned at = 3; at < 5; ++at) {
    for (int value = 0; value < 256; ++value) {
      try {
        steps_of(read_packed(with_step_byte(bytes, at, static_cast<char>(value))));  // without having been verified
      } catch (const trace_error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 450U);
}

/// What is wrong with the steps, with another byte in the place of one of them; empty if nothing is.
std::string complaint_about(const std::string& bytes, std::size_t at, int value) {
  try {
    steps_of(read_packed(with_step_byte(bytes, at, static_cast<char>(value))));
  } catch (const trace_error& error) {
    return error.what();
  }
  return {};
}

/// Steps of an instruction that accesses no memory.
TEST(packed_trace, has_no_lanes_without_a_thread_and_no_addresses_that_nobody_uses) {
  const scratch_folder folder;
  const std::string text = trace_text().replace(5, "block 4 1 1").append("/*0020*/ NOP").append("/*0030*/ NOP").str();
  const std::string bytes = packed(folder.write("kernel.trace", text), folder.path());
  constexpr std::size_t head = 3, mask = 4;  // behind warp, line and number of presets
  constexpr int mask_follows = 2, is_strided = 8;
  ASSERT_EQ(complaint_about(bytes, head, mask_follows), "") << "the NOP as it is";
  for (int lanes = 0; lanes < 0x10; ++lanes) EXPECT_EQ(complaint_about(bytes, mask, lanes), "");
  for (int lanes = 0x10; lanes < 0x80; ++lanes)
    EXPECT_NE(complaint_about(bytes, mask, lanes).find("names lanes without a thread"), std::string::npos) << lanes;
  const std::string addresses = complaint_about(bytes, head, mask_follows | is_strided);
  EXPECT_NE(addresses.find("there are addresses for the lanes"), std::string::npos) << addresses;
}

TEST(packed_trace, has_each_warp_of_a_cta_once) {
  const scratch_folder folder;
  const std::string text = trace_text().append("warp 1").append("/*0000*/ EXIT").str();
  const std::string bytes = packed(folder.write("kernel.trace", text), folder.path());
  EXPECT_NO_THROW(read_packed(bytes).verify());
  EXPECT_THROW(read_packed(with_step_byte(bytes, 0, 1)).verify(), trace_error);
}

TEST(packed_trace, refuses_other_versions_and_other_files) {
  const scratch_folder folder;
  std::string bytes = packed(folder.write("kernel.trace", trace_text().str()), folder.path());
  bytes[packed::packed_magic.size()] = 2;
  const std::uint32_t checksum = packed::checksum_of(reinterpret_cast<const std::uint8_t*>(bytes.data()), 12);
  for (unsigned i = 0; i < 4; ++i) bytes[12 + i] = static_cast<char>(checksum >> (8 * i));
  EXPECT_NE(message_of(bytes).find("version 2 of the packed format; this tcsim reads version 1"), std::string::npos) << message_of(bytes);
  EXPECT_NE(message_of("\x89PNG\r\n\x1a\n and more of a picture").find("offset 0x0: neither a trace nor a packed trace"),
            std::string::npos);
  std::ostringstream out;
  EXPECT_THROW(packed::unpack_trace(folder.path() / "kernel.trace", folder.path(), out), trace_error);
  folder.write("kernel.tct", bytes);
  EXPECT_THROW(packed::pack_trace(folder.path() / "kernel.tct", folder.path(), out), trace_error);
}

}  // namespace
}  // namespace tc::trace::test::packed_trace_test
