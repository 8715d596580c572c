// SPDX-License-Identifier: Apache-2.0
// A kernel's trace is made without its text; reading the text must give the same.
#include <istream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/kernels/convolution_trace.hpp>
#include <tc/kernels/gemm_trace.hpp>
#include <tc/kernels/warpgroup_gemm_trace.hpp>
#include <tc/trace/line_reader.hpp>
#include <tc/trace/trace.hpp>
#include <tc/trace/trace_error.hpp>

#include "gemm_machines.hpp"

namespace made_trace_test {

using namespace tc;
using namespace tc::kernels;

namespace {

trace::trace read(kernel_text& text) {
  std::istream in(&text);
  return trace::trace::read(in, "kernel");
}

std::vector<std::uint8_t> bytes_of(const trace::memory_content& content, const trace::byte_range& range) {
  std::vector<std::uint8_t> bytes(range.bytes);
  content.copy(range.offset, bytes.data(), bytes.size());
  return bytes;
}

void expect_same_step(const trace::step& a, const trace::step& b) {
  EXPECT_EQ(a.code_index, b.code_index);
  EXPECT_EQ(a.pc, b.pc);
  EXPECT_EQ(a.mask, b.mask);
  EXPECT_EQ(a.line, b.line);
  ASSERT_EQ(a.addresses.lanes(), b.addresses.lanes());
  trace::for_each_lane(a.addresses.lanes(), [&](unsigned lane) { EXPECT_EQ(a.addresses[lane], b.addresses[lane]); });
}

void expect_same_code(const trace::trace& a, const trace::trace& b) {
  ASSERT_EQ(a.code_size(), b.code_size());
  for (std::uint32_t i = 0; i < a.code_size(); ++i) {
    EXPECT_EQ(a.code(i).text, b.code(i).text);
    EXPECT_EQ(a.code_line(i), b.code_line(i)) << a.code(i).text;
  }
  EXPECT_EQ(a.summary().opcodes, b.summary().opcodes);
  EXPECT_EQ(a.summary().instructions, b.summary().instructions);
  EXPECT_EQ(a.summary().warps, b.summary().warps);
}

void expect_same_images(const std::vector<trace::memory_image>& a, const std::vector<trace::memory_image>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].base, b[i].base);
    ASSERT_EQ(a[i].content.bytes(), b[i].content.bytes());
    EXPECT_EQ(bytes_of(a[i].content, {0, a[i].content.bytes()}), bytes_of(b[i].content, {0, b[i].content.bytes()}));
  }
}

void expect_same(const trace::trace& made, const trace::trace& read) {
  made.verify();
  expect_same_code(made, read);
  expect_same_images(made.header().memory, read.header().memory);
  ASSERT_EQ(made.ctas().size(), read.ctas().size());
  for (std::size_t i = 0; i < made.ctas().size(); ++i) {
    const trace::cta_entry &a = made.ctas()[i], &b = read.ctas()[i];
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.y, b.y);
    ASSERT_EQ(a.warp_count, b.warp_count);
    for (std::uint32_t warp = 0; warp < a.warp_count; ++warp) {
      trace::warp_player one = made.play(a, warp), other = read.play(b, warp);
      EXPECT_EQ(one.warp(), other.warp());
      trace::step x, y;
      while (one.next(x)) {
        ASSERT_TRUE(other.next(y));
        expect_same_step(x, y);
      }
      EXPECT_FALSE(one.next(x));
      EXPECT_FALSE(other.next(y));
    }
  }
}

/// Bytes that differ from their neighbours.
std::vector<std::uint8_t> numbered(std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
  return bytes;
}

gemm_matrices matrices_of(const gemm_problem& problem) {
  return {numbered(problem.a_bytes()), numbered(problem.b_bytes()), numbered(problem.d_bytes()), {}};
}

/// A product by warpgroups, on hopper.
struct warpgroup_product {
  explicit warpgroup_product(const gemm_problem& asked) : problem(asked) {}

  const gemm_problem problem;
  const config::machine machine = test::machine_of("hopper");
  const gemm_matrices matrices = matrices_of(problem);
  const warpgroup_gemm_plan plan = make_warpgroup_gemm_plan(problem, {64, 64, 64, 2}, test::architecture_of(machine), machine);
  const warpgroup_gemm_program program{plan};
  warpgroup_gemm_trace text{plan, program, matrices};
};

}  // namespace

TEST(made_trace, of_a_product_in_registers_is_that_of_its_text) {
  const config::machine machine = test::machine_of("hopper");
  const gemm_problem problem{128, 64, 160, find_precision("mixed")};
  const gemm_matrices matrices = matrices_of(problem);
  for (const bool buffered : {true, false}) {
    gemm_tiling tiling{64, 64, 32, 2, 1};
    tiling.double_buffered = buffered;
    const gemm_plan plan = make_gemm_plan(problem, tiling, test::architecture_of(machine), machine);
    const gemm_program program(plan, machine);
    gemm_trace text(plan, program, matrices);
    expect_same(text.made("kernel"), read(text));
  }
}

TEST(made_trace, of_a_product_of_warpgroups_is_that_of_its_text) {
  warpgroup_product product({128, 128, 256, find_precision("mixed")});
  expect_same(product.text.made("kernel"), read(product.text));
}

TEST(made_trace, of_a_convolution_is_that_of_its_text) {
  const config::machine machine = test::machine_of("blackwell");
  convolution_problem problem;
  problem.image = {9, 9};
  problem.channels = problem.filters = 16;
  problem.filter = {3, 3};
  convolution_options options;
  options.method = convolution_method::shift;
  const convolution_plan plan = make_convolution_plan(problem, options, isa::architecture::sm_100, machine);
  const convolution_program program(plan);
  const convolution_tensors tensors{numbered(problem.input_bytes()), numbered(problem.filter_bytes()), {}};
  convolution_trace text(plan, program, tensors);
  expect_same(text.made("kernel"), read(text));
}

TEST(made_trace, is_no_larger_than_its_limits) {
  const warpgroup_product product({64, 64, 64, find_precision("mixed")});
  const trace::trace_summary size = product.text.made("kernel").summary();
  const auto refusal = [&](std::uint64_t instructions, std::uint64_t distinct) -> std::string {
    trace::size_limits limits;
    limits.instructions = instructions;
    limits.distinct_instructions = distinct;
    try {
      product.text.made("kernel", limits);
    } catch (const trace::trace_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(size.instructions, size.distinct_instructions), "");
  EXPECT_NE(
      refusal(size.instructions - 1, size.distinct_instructions).find(fmt::format("more than {} instructions", size.instructions - 1)),
      std::string::npos);
  EXPECT_NE(refusal(size.instructions, size.distinct_instructions - 1)
                .find(fmt::format("more than {} different instructions", size.distinct_instructions - 1)),
            std::string::npos);
}

TEST(made_trace, samples_are_lines_of_the_text_and_one_image_of_the_trace) {
  const config::machine machine = test::machine_of("hopper");
  const gemm_problem problem{64, 64, 32, find_precision("mixed")};
  gemm_matrices matrices = matrices_of(problem);
  matrices.samples = {{0, 8}, {1000, 4}, {problem.d_bytes() - 16, 16}};
  matrices.d = numbered(28);
  const gemm_plan plan = make_gemm_plan(problem, {}, test::architecture_of(machine), machine);
  const gemm_program program(plan, machine);
  gemm_trace text(plan, program, matrices);
  const trace::trace made = text.made("kernel"), from_text = read(text);
  expect_same(made, from_text);
  ASSERT_EQ(made.header().expectations.size(), 1u);
  ASSERT_EQ(from_text.header().expectations.size(), 3u);
  const trace::expected_image& image = made.header().expectations[0];
  EXPECT_EQ(image.content.bytes(), problem.d_bytes());
  for (std::size_t i = 0; i < 3; ++i) {
    const trace::expected_image& line = from_text.header().expectations[i];
    EXPECT_EQ(line.base, image.base + image.samples.at(i).offset);
    EXPECT_EQ(bytes_of(line.content, {0, line.content.bytes()}), bytes_of(image.content, image.samples[i]));
  }
}

// A line of a trace is bounded; a matrix is not.
TEST(header_lines, long_contents_take_several_lines) {
  const std::vector<std::uint8_t> bytes = numbered(9 << 20);
  header_lines header;
  header.add_content("memory", 0x1000, bytes);
  ASSERT_EQ(header.lines().size(), 3u);
  std::size_t first = 0;
  for (const header_lines::line& line : header.lines()) {
    EXPECT_LT(line.text.size() + 2 * line.count, trace::line_reader::max_line_bytes);
    EXPECT_EQ(line.bytes, &bytes[first]);
    first += line.count;
  }
  EXPECT_EQ(first, bytes.size());
  EXPECT_EQ(header.lines()[1].text.substr(0, 15), "memory 0x401000");
}

}  // namespace made_trace_test
