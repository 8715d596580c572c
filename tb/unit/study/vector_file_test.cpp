// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <functional>
#include <random>
#include <scratch_folder.hpp>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <tc/study/compressed_file.hpp>
#include <tc/study/vector_file.hpp>

#include "recorded_vectors.hpp"

namespace tc::study::vector_file_test {
namespace {

/// A case in which every operand holds random bits.
vector_case random_case(const vector_header& header, std::mt19937& random) {
  vector_case values = make_case(header);
  const auto fill = [&](vector_operand which, unsigned elements) {
    const operand_shape shape = shape_of(header, which);
    for (unsigned matrix = 0; matrix < header.matrices(); ++matrix)
      for (unsigned line = 0; line < shape.lines; ++line)
        for (unsigned i = 0; i < elements; ++i) {
          const std::uint64_t bits = random() | std::uint64_t{random()} << 32;
          set_element(header, values, which, matrix, line, i, bits & shape.format.storage_mask());
        }
  };
  fill(vector_operand::a, header.operation.k);
  fill(vector_operand::b, header.operation.k);
  fill(vector_operand::scale_a, header.scales());
  fill(vector_operand::scale_b, header.scales());
  fill(vector_operand::c, 1);
  fill(vector_operand::d, 1);
  return values;
}

bool operator==(const vector_case& x, const vector_case& y) {
  return x.a == y.a && x.b == y.b && x.scale_a == y.scale_a && x.scale_b == y.scale_b && x.c == y.c && x.d == y.d;
}

class vector_file_test : public testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  std::filesystem::path write(const std::string& content) const {
    std::ofstream(path("vectors"), std::ios::binary) << content;
    return path("vectors");
  }
  /// The content of a file with three cases of zeros.
  static std::string three_cases(const std::string& header_line) {
    const vector_header header = parse_header(header_line);
    std::ostringstream out;
    vector_writer writer(out, header);
    for (int i = 0; i < 3; ++i) writer.write(make_case(header));
    return out.str();
  }
  /// Reads all cases of a file, which must be refused.
  void expect_refused(const std::string& content, const std::string& why) const {
    const auto file = write(content);
    try {
      vector_reader reader(file);
      for (vector_case values; reader.next(values);) {
      }
      ADD_FAILURE() << "not refused: " << why;
    } catch (const vector_error& error) {
      EXPECT_EQ(std::string(error.what()).find(file.string() + ": "), 0u);
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  }

 private:
  scratch_folder folder_;
};

const std::string dot_line = "dot volta m8n8k4.f32.f16.f16.f32 k=4 scales=0 a=f16 b=f16 c=f32 d=f32 s=- cases=3";
const std::string fragment_line = "m16n8k8.f32.f16.f16.f32 2 1 4 4 3 NVIDIA_H200";

class every_operation : public testing::TestWithParam<const char*> {};

TEST_P(every_operation, reads_back_what_was_written) {
  const scratch_folder folder;
  const vector_header header = parse_header(GetParam());
  std::mt19937 random(7);
  std::vector<vector_case> cases;
  for (int i = 0; i < 3; ++i) cases.push_back(random_case(header, random));
  for (const std::string name : {"v.bin", "v.bin.xz", "v.bin.gz"}) {
    const auto file = folder.path() / name;
    {
      std::ofstream out(file, std::ios::binary);
      write_compressed(out, compression_of(file), [&](std::ostream& packed) {
        vector_writer writer(packed, header);
        for (const vector_case& values : cases) writer.write(values);
      });
    }
    vector_reader reader(file);
    EXPECT_EQ(text_of(reader.header()), GetParam());
    vector_case values;
    for (const vector_case& expected : cases) {
      ASSERT_TRUE(reader.next(values));
      EXPECT_TRUE(values == expected);
    }
    EXPECT_FALSE(reader.next(values));
  }
}

INSTANTIATE_TEST_SUITE_P(
    formats, every_operation,
    testing::Values("m16n8k8.f32.f16.f16.f32 2 1 4 4 3 d", "m16n8k16.f16.f16.f16.f16 4 2 2 2 3 d", "m16n8k4.f32.tf32.tf32.f32 2 1 4 4 3 d",
                    "m16n8k16.f64.f64.f64.f64 16 8 8 8 3 d", "m8n8k4.f64.f64.f64.f64 2 2 4 4 3 d", "m8n8k32.s32.s4.u4.s32 1 1 2 2 3 d",
                    "m16n8k256.s32.b1.b1.s32.and.popc 4 2 4 4 3 d", "m16n8k32.f16.e4m3.e5m2.f16 4 2 2 2 3 d",
                    "m8n8k4.f32.f16.f16.f32 2 2 8 8 3 d", "m8n8k4.col.col.f16.f16.f16.f16 2 2 4 4 3 d",
                    "m8n8k4.col.row.f32.f16.f16.f16 2 2 4 8 3 d", "wgmma.m64n8k16.f32.f16.f16 4 64 4 4 3 d",
                    "wgmma.m64n40k8.f32.tf32.tf32 4 320 20 20 3 d", "wgmma.m64n256k32.f16.e4m3.e5m2 4 2048 64 64 3 d",
                    "dot volta m8n8k4.f32.f16.f16.f32 k=4 scales=0 a=f16 b=f16 c=f32 d=f32 s=- cases=3",
                    "dot ampere m8n8k4.f64.f64.f64.f64 k=4 scales=0 a=f64 b=f64 c=f64 d=f64 s=- cases=3",
                    "dot blackwell m128n8k32.f16.e3m2.e2m3 k=32 scales=0 a=e3m2 b=e2m3 c=f16 d=f16 s=- cases=3",
                    "dot blackwell m128n8k64.block16.f32.e2m1.e2m1.ue4m3 k=64 scales=4 a=e2m1 b=e2m1 c=f32 d=f32 s=ue4m3 cases=3"));

// Places from the fragment figures of the PTX ISA.
TEST(case_layout, element_of_a_register) {
  const vector_header header = parse_header("m16n8k16.f32.f16.f16.f32 4 2 4 4 1 d");
  vector_case values = make_case(header);
  set_element(header, values, vector_operand::a, 0, 5, 7, 0xa57);             // lane 23, register 0, high half
  set_element(header, values, vector_operand::b, 0, 6, 10, 0xb6a);            // B[10][6]: lane 25, register 1, low half
  set_element(header, values, vector_operand::c, 0, 5 * 16 + 13, 0, 0xc135);  // C[13][5]: lane 22, register 3
  const case_layout layout(header);
  ASSERT_EQ(layout.stored_words(), 32u * 14);
  std::vector<std::uint32_t> stored(layout.stored_words());
  layout.scatter(values, stored.data());
  EXPECT_EQ(stored[23 * 14 + 0], 0xa57u << 16);
  EXPECT_EQ(stored[25 * 14 + 4 + 1], 0xb6au);
  EXPECT_EQ(stored[22 * 14 + 6 + 3], 0xc135u);
}

TEST(case_layout, element_of_a_warpgroup) {
  const vector_header header = parse_header("wgmma.m64n16k32.f32.e4m3.e4m3 4 128 8 8 1 d");
  vector_case values = make_case(header);
  set_element(header, values, vector_operand::a, 0, 16 + 12, 27, 0xa1);  // warp 1; A[12][27] of its rows: lane 18, register 3, byte 3
  set_element(header, values, vector_operand::b, 0, 9, 6, 0xb2);         // column 9: word 9 * 8 + 1, byte 2
  set_element(header, values, vector_operand::d, 0, 13 * 64 + 48 + 13, 0, 0xd3);  // warp 3; D[13][5] of its second 8 columns
  const case_layout layout(header);
  const unsigned stride = 4 + 8 + 8;
  ASSERT_EQ(layout.stored_words(), 128 + 128 * stride);
  std::vector<std::uint32_t> stored(layout.stored_words());
  layout.scatter(values, stored.data());
  EXPECT_EQ(stored[128 + (32 + 18) * stride + 3], 0xa1000000u);
  EXPECT_EQ(stored[9 * 8 + 1], 0xb20000u);
  EXPECT_EQ(stored[128 + (96 + 22) * stride + 4 + 8 + 4 + 3], 0xd3u);
}

TEST_F(vector_file_test, refuses_what_is_no_vector_file) {
  expect_refused("", "is empty");
  expect_refused(std::string(5000, 'x'), "does not begin with a line of text");
  expect_refused("m16n8k16.f32.f16.f16.f32", "does not begin with a line of text");
  expect_refused("nonsense\n", "header: ");
  expect_refused("m16n8k8.f32.f16.f16.f32 2 1 4 5 3 NVIDIA_H200\n", "d_regs is 5");
}

TEST_F(vector_file_test, refuses_files_cut_off_in_a_case) {
  const std::string fragments = three_cases(fragment_line), dots = three_cases(dot_line);
  expect_refused(fragments.substr(0, fragments.size() - 1), "is truncated: case 2 of 3 has 1407 bytes instead of 1408");
  expect_refused(dots.substr(0, dots.size() - 50), "is truncated: case 1 of 3 has 30 bytes instead of 40");
  expect_refused(dot_line + "\n", "is truncated: case 0 of 3 has 0 bytes");
}

TEST_F(vector_file_test, refuses_bytes_after_the_last_case) {
  expect_refused(three_cases(fragment_line) + "x", "goes on after the 3 cases of 1408 bytes");
  expect_refused(three_cases(dot_line) + "xxxx", "goes on after the 3 cases of 40 bytes");
}

TEST_F(vector_file_test, refuses_bits_where_no_element_is) {
  std::string dots = three_cases(dot_line);
  dots[dot_line.size() + 1 + 40 + 4 * 5 + 2] = 1;  // case 1, second element of B
  expect_refused(dots, "case 1: an element of B is 0x10000, but f16 has 16 bits");
}

TEST_F(vector_file_test, refuses_damaged_xz) {
  std::ostringstream packed;
  write_compressed(packed, compression::xz, [](std::ostream& out) { out << three_cases(fragment_line); });
  std::string content = packed.str();
  content[content.size() / 2] = static_cast<char>(~content[content.size() / 2]);
  expect_refused(content, "damaged");
}

TEST(vector_files, writing_what_was_read_gives_the_same_bytes) {
  for (const auto& file : test::recorded_vectors()) {
    compressed_input original(file);
    std::string expected(1 << 24, ' ');
    expected.resize(original.read(expected.data(), expected.size()));
    std::ostringstream written;
    vector_reader reader(file);
    vector_writer writer(written, reader.header());
    for (vector_case values; reader.next(values);) writer.write(values);
    EXPECT_TRUE(written.str() == expected) << file;
  }
}

}  // namespace
}  // namespace tc::study::vector_file_test
