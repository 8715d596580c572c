// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "device_bench.hpp"

// What commands do, and how those end that cannot do it.

namespace tc::platform::test::device_command_test {
namespace {

device_bench::params on(const std::string& preset, timing mode = timing::approximate) {
  device_bench::params params;
  params.machine = machine_of(preset);
  params.mode = mode;
  return params;
}

class device_gemm : public testing::TestWithParam<std::tuple<gemm_case, timing>> {};

TEST_P(device_gemm, has_every_bit_of_the_product) {
  const auto& [test, mode] = GetParam();
  device_bench::params params = on(test.preset, mode);
  params.sockets = 2;
  device_bench bench("bench", params);
  bench.start();
  const tcsim_gemm gemm = descriptor_of(test, 7);
  write_matrices(bench, gemm, 1);
  const tcsim_completion_record record = bench.execute(gemm);
  EXPECT_EQ(record.identifier, 7u);
  EXPECT_EQ(record.status, TCSIM_RESULT_DONE);
  EXPECT_GT(record.cycles, 100u);
  EXPECT_GT(record.instructions, 50u);
  EXPECT_EQ(wrong_elements(bench, gemm, 1), 0u);
  EXPECT_EQ(bench.read(TCSIM_REG_COMPLETED), 1u);
  sc_core::sc_stop();
}

INSTANTIATE_TEST_SUITE_P(
    machines, device_gemm,
    testing::Combine(testing::Values(small_gemm(), gemm_case{"turing_s8", "turing", TCSIM_PRECISION_S8, TCSIM_INSTRUCTIONS_MMA, 32, 32, 64},
                                     warpgroup_gemm(), pointwise_gemm()),
                     testing::Values(timing::approximate, timing::loose)),
    [](const auto& test) { return std::get<0>(test.param).name + (std::get<1>(test.param) == timing::loose ? "_loose" : "_approximate"); });

/// Images of ones: each output is the number of taps inside the image times the number of channels.
TEST(device_convolution, has_every_bit_of_the_sums) {
  device_bench bench("bench", on("blackwell"));
  bench.start();
  auto conv = device_bench::descriptor<tcsim_convolution>(TCSIM_OPCODE_CONVOLUTION, 1);
  conv.batch = 1;
  conv.height = conv.width = 5;
  conv.channels = conv.filters = 16;
  conv.filter_height = conv.filter_width = 3;
  conv.padding_height = conv.padding_width = conv.stride_height = conv.stride_width = conv.dilation_height = conv.dilation_width = 1;
  conv.input = device_bench::first_free;
  conv.filter = conv.input + 0x1000;
  conv.output = conv.filter + 0x4000;
  const std::vector<std::uint16_t> ones(16 * 16 * 9, 0x3c00);
  bench.put(conv.input, ones.data(), 2 * 5 * 5 * 16);
  bench.put(conv.filter, ones.data(), 2 * 16 * 9 * 16);
  for (const std::uint32_t method : {TCSIM_METHOD_IM2COL, TCSIM_METHOD_SHIFT}) {
    conv.identifier = conv.method = method;
    conv.completion = device_bench::record_of(method);
    EXPECT_EQ(bench.status_of(conv), TCSIM_RESULT_DONE);
    for (unsigned p = 0; p < 5; ++p)
      for (unsigned q = 0; q < 5; ++q) {
        float sum = 0;
        bench.get(conv.output + 4 * 16 * (5 * p + q), &sum, sizeof sum);
        const auto inside = [](unsigned at) { return at == 0 || at == 4 ? 2 : 3; };
        EXPECT_EQ(sum, static_cast<float>(16 * inside(p) * inside(q))) << p << ' ' << q;
        sum = 0;
        bench.put(conv.output + 4 * 16 * (5 * p + q), &sum, sizeof sum);
      }
  }
}

/// A kernel that copies a word. Its header may hold more lines.
std::string copying_trace(const std::string& lines, const std::string& arch = "sm_75") {
  return fmt::format(
      "tcsim-trace 1\narch {}\nkernel copy\ngrid 1 1 1\nblock 32 1 1\n{}cta 0 0 0\nwarp 0\n"
      "/*0000*/ LDG.E.SYS R4, [R2] @ 0x20000+4\n/*0010*/ STG.E.SYS [R2], R4 @ 0x21000+4\n/*0020*/ EXIT\n",
      arch, lines);
}

const std::string images = "memory 0x20000 128 fill 7\nmemory 0x21000 128 zero\n";

tcsim_run_trace trace_command(device_bench& bench, const std::string& text, std::uint32_t flags) {
  auto command = device_bench::descriptor<tcsim_run_trace>(TCSIM_OPCODE_RUN_TRACE, 2);
  command.flags = flags;
  command.address = device_bench::first_free + 3;
  command.bytes = text.size();
  bench.put(command.address, text.data(), text.size());
  return command;
}

TEST(device_trace, runs_on_its_images_or_on_what_is_there) {
  device_bench bench("bench", on("turing"));
  bench.start();
  bench.memory().at(0x20000) = 9;
  const std::string text = copying_trace(images);
  EXPECT_EQ(bench.status_of(trace_command(bench, text, 0)), TCSIM_RESULT_DONE);
  EXPECT_EQ(bench.memory().at(0x21000), 9u);
  EXPECT_EQ(bench.status_of(trace_command(bench, text, TCSIM_FLAG_WRITE_IMAGES)), TCSIM_RESULT_DONE);
  EXPECT_EQ(bench.memory().at(0x21000), 7u);
  // Images of another trace may cut across those of the first: memory is the platform's.
  const std::string other = copying_trace("memory 0x1ff80 256 fill 5\nmemory 0x21000 64 zero\n");
  EXPECT_EQ(bench.status_of(trace_command(bench, other, TCSIM_FLAG_WRITE_IMAGES)), TCSIM_RESULT_DONE);
  EXPECT_EQ(bench.memory().at(0x21000), 5u);
}

TEST(device_trace, tells_whether_memory_is_as_expected) {
  expect_warnings();
  device_bench bench("bench", on("turing"));
  bench.start();
  const std::string text = copying_trace(images + "expect 0x21000 128 fill 7\n");
  const tcsim_completion_record record = bench.execute(trace_command(bench, text, TCSIM_FLAG_WRITE_IMAGES));
  EXPECT_EQ(record.status, TCSIM_RESULT_DONE);
  EXPECT_EQ(record.mismatches, 0u);
  bench.memory().at(0x20000) = 9;
  const tcsim_completion_record wrong = bench.execute(trace_command(bench, text, 0));
  EXPECT_EQ(wrong.status, TCSIM_RESULT_MISMATCH);
  EXPECT_EQ(wrong.mismatches, 1u);
}

TEST(device_trace, tells_whether_addresses_are_what_the_registers_make) {
  expect_warnings();
  device_bench bench("bench", on("turing"));
  bench.start();
  std::string preset = copying_trace(images);
  preset.insert(preset.find("/*0000*/"), "reg R2 0x20000\nreg R3 0\n");
  EXPECT_EQ(bench.status_of(trace_command(bench, preset, TCSIM_FLAG_WRITE_IMAGES)), TCSIM_RESULT_MISMATCH) << "it stores elsewhere";
  EXPECT_EQ(bench.status_of(trace_command(bench, copying_trace(images), TCSIM_FLAG_WRITE_IMAGES)), TCSIM_RESULT_DONE) << "nothing is known";
}

}  // namespace
}  // namespace tc::platform::test::device_command_test
