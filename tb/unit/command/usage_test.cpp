// SPDX-License-Identifier: Apache-2.0
// Help, and what a mistake on the command line is answered with.
#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <gtest/gtest.h>

#include "command_process.hpp"
#include "wrapped_text.hpp"

namespace usage_test {

using namespace tcsim::test;
using words = std::vector<std::string>;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

}  // namespace

class help : public command_test, public testing::WithParamInterface<words> {};

TEST_P(help, explains_in_80_columns_and_gives_an_example) {
  auto arguments = GetParam();
  arguments.emplace_back("--help");
  const auto shown = tcsim(arguments);
  EXPECT_EQ(shown.status, 0);
  EXPECT_EQ(shown.err, "");
  EXPECT_TRUE(contains(shown.out, "Usage: tcsim"));
  EXPECT_TRUE(contains(shown.out, "Example: tcsim "));
  EXPECT_LE(longest_line(shown.out), 80u);
}

TEST_P(help, is_what_the_command_help_prints) {
  words by_option = GetParam(), by_command = GetParam();
  by_option.emplace_back("--help");
  by_command.insert(by_command.begin(), "help");
  EXPECT_EQ(tcsim(by_command).out, tcsim(by_option).out);
}

TEST_P(help, shows_one_name_for_the_file_that_is_written) {
  auto arguments = GetParam();
  arguments.emplace_back("--help");
  const std::string shown = tcsim(arguments).out;
  const std::size_t option = shown.find("\n  -o,");
  EXPECT_TRUE(option == std::string::npos || shown.substr(option, 17) == "\n  -o,--out FILE ") << shown;
  EXPECT_FALSE(contains(shown, "--output-file")) << shown;
}

INSTANTIATE_TEST_SUITE_P(of, help,
                         testing::Values(words{}, words{"demo"}, words{"run"}, words{"gemm"}, words{"conv"}, words{"replay"},
                                         words{"trace"}, words{"trace", "check"}, words{"trace", "pack"}, words{"trace", "unpack"},
                                         words{"import"}, words{"import", "accelsim"}, words{"import", "nvdisasm"}, words{"code"},
                                         words{"code", "decode"}, words{"sweep"}, words{"results"}, words{"report"}, words{"diff"},
                                         words{"config"}, words{"config", "show"}, words{"config", "check"}, words{"config", "list"},
                                         words{"layout"}, words{"error"}, words{"probe"}, words{"help"}),
                         [](const auto& parameter) {
                           std::string name = "tcsim";
                           for (const auto& word : parameter.param) name += "_" + word;
                           return name;
                         });

using usage = command_test;

TEST_F(usage, a_misspelt_command_is_answered_with_the_nearest_one) {
  expect_refusal({"rnu"}, {"\"rnu\"", "did you mean run?", "see tcsim --help"});
  expect_refusal({"trace", "pak"}, {"tcsim trace", "did you mean pack?", "see tcsim trace --help"});
  expect_refusal({"help", "gem"}, {"did you mean gemm?"});
  expect_refusal({"version"}, {"did you mean --version?"});
}

TEST_F(usage, a_misspelt_option_is_told_before_what_is_missing_because_of_it) {
  expect_refusal({"gemm", "--confg", "turing", "--size", "64"}, {"no option --confg", "did you mean --config?", "see tcsim gemm --help"});
  expect_refusal({"gemm", "-config", "turing"}, {"did you mean --config?"});
  expect_refusal({"gemm", "--config=turing", "--prec=f16"}, {"no option --prec;", "did you mean --precision?"});
}

TEST_F(usage, a_word_without_an_option_is_told) {
  expect_refusal({"gemm", "turing", "--size", "64"}, {"\"turing\" belongs to no option", "tcsim gemm takes no argument"});
}

TEST_F(usage, what_is_required_is_explained) { expect_refusal({"run", "--config", "turing"}, {"TRACE is required", "Trace files"}); }

TEST_F(usage, values_that_an_option_does_not_take_are_told) {
  expect_refusal({"gemm", "--config", "turing", "--size", "abc"}, {"--size abc", "whole number"});
  expect_refusal({"gemm", "--config", "turing", "--size"}, {"--size is nothing without a value"});
  expect_refusal({"gemm", "--config", "turing", "--size", "64", "--jobs", "0"}, {"--jobs", "\"0\" is no whole number from 1 to 1024"});
  expect_refusal({"gemm", "--config", "turing", "--size", "64", "--instructions", "wgma"}, {"--instructions", "did you mean wgmma?"});
  expect_refusal({"gemm", "--config", "turing", "--config", "volta", "--size", "64"}, {"--config is given more than once"});
}

TEST_F(usage, a_misspelt_example_is_answered_with_the_nearest_one) {
  expect_refusal({"run", "sm_75.tild_f16_f32", "--config", "turing"}, {"sm_75.tild_f16_f32", "did you mean sm_75.tiled_f16_f32?"});
}

TEST_F(usage, number_formats_have_the_names_of_other_tools_too) {
  const auto run = tcsim({"gemm", "--config", "t4", "--size", "64", "--precision", "FP16,int8"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "  f16        HMMA")) << run.out;
  EXPECT_TRUE(contains(run.out, "  s8         IMMA")) << run.out;
  const auto error = tcsim({"error", "--config", "a100", "--input", "bfloat16", "--output", "fp32", "--dots", "2", "--k", "16"});
  EXPECT_EQ(error.out.rfind("bf16 inputs", 0), 0u) << error.out << error.err;
  EXPECT_EQ(tcsim({"probe", "--config", "a100", "--input", "double", "--output", "fp64"}).status, 0);
  expect_refusal({"gemm", "--config", "t4", "--size", "16", "--precision", "e4m4"}, {"did you mean \"e4m3\"?"});
}

TEST_F(usage, a_result_whose_file_is_a_dash_is_alone_on_stdout) {
  const auto run = tcsim({"gemm", "--config", "t4", "--size", "16", "--stats", "-"});
  EXPECT_EQ(run.out.front(), '{');
  EXPECT_TRUE(contains(run.err, "tensor cores")) << run.err;
  EXPECT_EQ(tcsim({"gemm", "--config", "t4", "--size", "16", "--timeline", "-"}).out.substr(0, 1), "{");
  EXPECT_EQ(tcsim({"gemm", "--config", "t4", "--size", "16", "-o", "-"}).out.rfind("tcsim-trace 1\n", 0), 0u);
  expect_refusal({"gemm", "--config", "t4", "--size", "16", "--stats", "-", "--vcd", "-"}, {"--vcd -", "--stats"});
  EXPECT_FALSE(std::filesystem::exists(folder() / "-"));
}

TEST_F(usage, a_trace_and_a_configuration_may_come_from_stdin) {
  const std::string trace = file("short.trace", one_warp("sm_75", "", "/*0000*/ NOP\n")),
                    at = "cd " + folder().string() + " && " TC_COMMAND;
  EXPECT_EQ(std::system((at + " run - --config turing <" + trace + " >out.txt").c_str()), 0);
  EXPECT_EQ(std::system((at + " config show turing | " TC_COMMAND " run short.trace --config - >out.txt").c_str()), 0);
  EXPECT_NE(std::system((at + " config check - <" TC_SOURCE_DIR "/configs/turing_geforce.json 2>err.txt").c_str()), 0);
  EXPECT_TRUE(contains(content_of(folder() / "err.txt"), "includes no others")) << content_of(folder() / "err.txt");
}

TEST_F(usage, a_full_disk_under_stdout_is_told_as_one) {
  EXPECT_NE(std::system((TC_COMMAND " config show turing >/dev/full 2>" + (folder() / "err.txt").string()).c_str()), 0);
  EXPECT_EQ(content_of(folder() / "err.txt"), "tcsim: stdout: cannot write the result: No space left on device\n");
}

TEST_F(usage, a_sweep_does_not_go_to_stdout) { expect_refusal({"sweep", "turing_buffers", "--out", "-"}, {"cannot be stdout"}); }

TEST_F(usage, the_old_names_of_the_output_still_work) {
  for (const char* const option : {"-o", "--out", "--output"})
    EXPECT_EQ(tcsim({"layout", "m16n8k16.f32.f16.f16.f32", option, std::string(option) + ".txt"}).status, 0) << option;
  EXPECT_EQ(tcsim({"error", "--config", "volta", "--dots", "2", "--k", "16", "--output-file", "error.txt"}).status, 0);
}

TEST_F(usage, gemm_and_conv_print_units_and_are_strict) {
  const words gemm{"gemm", "--config", "t4", "--size", "16", "--units", "--strict"};
  const auto run = tcsim(gemm);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "How busy the units were:")) << run.out;
  const auto convolution = tcsim({"conv", "--config", "b200", "--height", "4", "--width", "4", "--channels", "16", "--filters", "16",
                                  "--method", "im2col", "--units", "--strict"});
  EXPECT_EQ(convolution.status, 0) << convolution.err;
  EXPECT_TRUE(contains(convolution.out, "How busy the units were:")) << convolution.out;
}

TEST_F(usage, layout_lists_all_operations_without_an_architecture) {
  const auto all = tcsim({"layout", "--list"}), some = tcsim({"layout", "--list", "--arch", "sm_75"});
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_GT(all.out.size(), some.out.size());
  EXPECT_TRUE(contains(all.out, "mma.sync.m16n8k8.f32.f16.f16.f32\n")) << all.out;
}

TEST(wrapped_text, continues_below_the_text_of_a_row) {
  EXPECT_EQ(tcsim::wrapped("  ulp   one two three", 16), "  ulp   one two\n        three");
  EXPECT_EQ(tcsim::wrapped("one two three", 8), "one two\nthree");
  EXPECT_EQ(tcsim::wrapped("short\n\nlines", 8), "short\n\nlines");
}

TEST(wrapped_text, breaks_a_command_as_a_shell_allows) {
  EXPECT_EQ(tcsim::wrapped("Example: tcsim run x --config turing", 30), "Example: tcsim run x \\\n  --config turing");
  EXPECT_EQ(tcsim::wrapped("tcsim --memory \"0 1 2\" --memory \"3 4 5\"", 26), "tcsim --memory \"0 1 2\" \\\n  --memory \"3 4 5\"");
}

}  // namespace usage_test
