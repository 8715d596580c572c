// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include <tc/isa/matrix_shapes.hpp>
#include <tc/trace/trace_error.hpp>

#include "trace_text.hpp"

namespace tc::trace::test::matrix_shape_test {

namespace {

const std::string line = "matrix-shape HMMA.16832.F32 m 16 n 8 k 32 a f16 b f16 d f32";
const std::string product = "/*0000*/ HMMA.16832.F32 R32, R8, R16, R24";

/// A trace whose header has a line before its end.
trace_text with_header_line(const std::string& text) { return trace_text().insert(8, text).replace(11, product); }

TEST(matrix_shape_line, declares_an_instruction) {
  const trace t = read_text(with_header_line(line));
  const isa::mma_operation mma = t.code(0).mma.value();
  EXPECT_EQ(mma.k, 32);
  EXPECT_EQ(mma.c, isa::element_type::f32) << "C is as D";
  EXPECT_EQ(t.code(0).sources[0].count, 8);
}

TEST(matrix_shape_line, may_stand_before_the_architecture_and_have_its_keywords_in_any_order) {
  trace_text text = trace_text().insert(2, "matrix-shape IMMA.81632.SAT saturate d s32 b u8 c s32 a s8 k 32 n 16 m 8");
  text.insert(3, "matrix-shape BMMA.1616128 m 16 n 16 k 128 a b1 b b1 d s32 combine and");
  const trace t = read_text(text.replace(12, "/*0000*/ IMMA.81632.SAT R32, R8, R16, R24").str());
  EXPECT_TRUE(t.code(0).mma->saturate);
  EXPECT_EQ(t.code(0).mma->b, isa::element_type::u8);
  EXPECT_EQ(t.header().matrix_shapes.find_declared("BMMA.1616128")->combine, isa::bit_operation::conjunction);
}

TEST(matrix_shape_line, is_not_needed_where_the_program_declares_the_shape) {
  open_options options;
  options.matrix_shapes = read_text(with_header_line(line)).header().matrix_shapes;
  EXPECT_EQ(read_text(trace_text().replace(10, product), options).code(0).mma->k, 32);
  EXPECT_THROW(read_text(trace_text().replace(10, product)), trace_error);
}

struct mistake {
  std::string text;  ///< of the header line
  std::string at;    ///< where the message points
  std::string words;
};

TEST(matrix_shape_line, is_refused_where_it_is_wrong) {
  const std::string begin = "matrix-shape HMMA.16832.F32 ";
  for (const mistake& m : {
           mistake{"matrix-shape FFMA.X m 16 n 8 k 32 a f16 b f16 d f32", "FFMA", "HMMA, IMMA, BMMA, DMMA or QMMA"},
           mistake{begin + "m 32 n 8 k 32 a f16 b f16 d f32", "32 n", "m is 8 or 16, is 32"},
           mistake{begin + "m 16 n 24 k 32 a f16 b f16 d f32", "24 k", "n is 8 or 16, is 24"},
           mistake{begin + "m 16 n 8 k 30 a f16 b f16 d f32", "30 a", "k of f16 is 8"},
           mistake{begin + "m 16 n 8 k 0 a f16 b f16 d f32", "0 a", "from 1"},
           mistake{begin + "m 16 n 8 k 128 a f16 b f16 d f32", "128 a", "more registers"},
           mistake{begin + "m 16 n 8 k 32 a f15 b f16 d f32", "f15", "unknown element type 'f15'"},
           mistake{begin + "m 16 n 8 k 32 a f16 b bf16 d f32", "bf16", "A of f16 goes with B of f16"},
           mistake{begin + "m 16 n 8 k 32 a f16 b f16 d s32", "s32", "accumulate in f32, f16"},
           mistake{begin + "m 16 n 8 k 32 a f16 b f16 d f32 combine or", "or", "xor or and"},
           mistake{begin + "m 16 n 8 k 32 a f16 b f16 d f32 combine xor", "xor", "only elements of b1"},
           mistake{begin + "m 16 n 8 k 32 a f16 b f16 d f32 saturate", "saturate", "only sums"},
           mistake{begin + "m 16 n 8 k 32 a f16 b f16 d f32 e f32", "e f32", "unknown keyword 'e'"},
           mistake{begin + "m 16 m 16 n 8 k 32 a f16 b f16 d f32", "m 16 n", "given twice"},
           mistake{"matrix-shape HMMA.1688.F32 m 16 n 8 k 32 a f16 b f16 d f32", "HMMA", "sm_75 has HMMA.1688.F32 as it is"},
       }) {
    try {
      read_text(trace_text().insert(8, m.text));
      ADD_FAILURE() << m.text;
    } catch (const trace_error& error) {
      EXPECT_EQ(error.line(), 8U);
      EXPECT_EQ(error.column(), m.text.rfind(m.at) + 1) << error.what();
      EXPECT_NE(std::string(error.what()).find(m.words), std::string::npos) << error.what();
    }
  }
}

TEST(matrix_shape_line, is_refused_where_it_lacks_something) {
  for (const char* text : {"matrix-shape", "matrix-shape HMMA.16832.F32", "matrix-shape HMMA.16832.F32 m 16 n 8 k 32 a f16 b f16",
                           "matrix-shape HMMA.16832.F32 m 16 n 8 k 32 a f16 b f16 d"}) {
    try {
      read_text(trace_text().insert(8, text));
      ADD_FAILURE() << text;
    } catch (const trace_error& error) {
      EXPECT_EQ(error.column(), std::string(text).size() + 1) << error.what();
      EXPECT_NE(std::string(error.what()).find("missing"), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(read_text(trace_text().insert(8, line).insert(9, line)), trace_error) << "declared twice";
}

TEST(matrix_shape_line, comes_at_most_as_often_as_the_limit_says) {
  open_options options;
  options.limits.matrix_shapes = 1;
  trace_text text = with_header_line(line);
  EXPECT_NO_THROW(read_text(text, options));
  try {
    read_text(text.insert(9, "matrix-shape HMMA.16864.F32 m 16 n 8 k 64 a f16 b f16 d f32"), options);
    FAIL();
  } catch (const trace_error& error) {
    EXPECT_STREQ(error.what(), "example.trace:9:1: 'matrix-shape' is given twice");
  }
}

}  // namespace

}  // namespace tc::trace::test::matrix_shape_test
