// SPDX-License-Identifier: Apache-2.0
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "command_process.hpp"

namespace convolution_command_test {

// Kernels of convolutions on tensor memory.

using namespace tcsim::test;

namespace {

class convolution_command : public command_test {
 protected:
  /// `tcsim conv` of filters of 3 x 3, with more options.
  static std::vector<std::string> of_3x3(std::vector<std::string> more) {
    std::vector<std::string> arguments{"conv", "--config", "blackwell", "--filter-height", "3", "--filter-width", "3"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  /// The example of P. Luo's notes on the Blackwell tensor core.
  static std::vector<std::string> example(std::vector<std::string> more) {
    more.insert(more.begin(), {"--batch", "3", "--height", "9", "--width", "9", "--channels", "16", "--filters", "16", "--padding", "0x1"});
    return of_3x3(more);
  }

  /// Runs both methods and demands that they compute the output, without a warning, and that the units of the machine counted what the
  /// kernels' instructions amount to.
  void expect_exact(const std::vector<std::string>& arguments) const {
    const outcome result = tcsim(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_TRUE(std::regex_search(result.out, std::regex("\\nresult +exact +exact\\n"))) << result.out;
    std::istringstream lines(result.out.substr(result.out.find("COUNTED IN THE RUN")));
    std::string line;
    std::getline(lines, line);
    unsigned rows = 0;
    for (std::smatch counted; std::getline(lines, line) && !line.empty(); ++rows) {
      ASSERT_TRUE(std::regex_search(line, counted, std::regex("  (\\d+) +(\\d+)$"))) << line;
      EXPECT_EQ(counted[1], counted[2]) << line;
    }
    EXPECT_GE(rows, 7u);
  }
};

}  // namespace

TEST_F(convolution_command, shows_the_steps_of_the_example) {
  const outcome all = tcsim(example({"--show-steps"}));
  EXPECT_EQ(all.status, 0) << all.err;
  for (const char* const text : {"{0x08040201, 0x80402010, 0x04020100, 0x40201008}", "{0x00000000, 0x00000000, 0x00000000, 0x00000000}",
                                 "{0x04020100, 0x40201008, 0x02010080, 0x20100804}", "lane 31 x 31 (row 3 w 4), lane 63 x 63 ",
                                 "lane 95 x 96 (row 10 w 6), lane 127 x 128 "})
    EXPECT_NE(all.out.find(text), std::string::npos) << text << '\n' << all.out;
  const outcome sixteen = tcsim(example({"--show-steps", "--lanes", "16"}));
  for (const char* const text : {"padding; row 0 w 0..8; row 1 w 0..5\n", "{0x00000201}", "lane 15 x 16 (row 1 w 7)",
                                 "row 0 w 1..8; row 1 w 0..7\n", "{0x00000100}"})
    EXPECT_NE(sixteen.out.find(text), std::string::npos) << text << '\n' << sixteen.out;
}

TEST_F(convolution_command, the_example_is_exact) {
  expect_exact(example({}));
  expect_exact(example({"--ashift"}));
}

// Rows of outputs that are shorter and longer than those of the input, columns modulo a dilation, tiles of filters, several blocks of
// channels.
TEST_F(convolution_command, both_methods_take_the_cycles_that_each_takes_alone) {
  const auto cycles_of = [this](const std::string& method) {
    const std::string out = tcsim(example({"--method", method, "--no-data", "--set", "sms=1"})).out;
    std::smatch found;
    EXPECT_TRUE(std::regex_search(out, found, std::regex("\\ncycles +(\\d+)(?: +(\\d+))?"))) << out;
    return method == "both" ? found.str(1) + " " + found.str(2) : found.str(1);
  };
  EXPECT_EQ(cycles_of("both"), cycles_of("im2col") + " " + cycles_of("shift"));
}

TEST_F(convolution_command, other_convolutions_are_exact) {
  expect_exact(of_3x3({"--batch", "2", "--height", "5", "--width", "40", "--channels", "20", "--filters", "3", "--padding", "1x2",
                       "--dilation", "1x2", "--stride", "2x1"}));
  expect_exact(of_3x3({"--height", "6", "--width", "4", "--channels", "80", "--filters", "34", "--padding", "2x4", "--stages", "1"}));
  expect_exact({"conv", "--config", "blackwell", "--height", "3", "--width", "20", "--channels", "96", "--filters", "260", "--filter-width",
                "4", "--ashift"});
  expect_exact({"conv", "--config", "blackwell", "--height", "4", "--width", "4", "--channels", "1", "--filters", "1"});
}

TEST_F(convolution_command, im2col_is_exact_with_strides) {
  const outcome result = tcsim(of_3x3({"--height", "9", "--width", "10", "--channels", "64", "--filters", "17", "--padding", "1",
                                       "--stride", "3x2", "--method", "im2col"}));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("exact: 1020 bytes as expected"), std::string::npos) << result.out;
}

// A row of three taps: a third of the pixels are copied, and eight refilled for every 128.
TEST_F(convolution_command, says_how_much_less_a_shift_reads_and_takes_as_long_without_data) {
  const std::vector<std::string> options{"--height", "14", "--width", "14", "--channels", "64", "--filters", "32", "--padding", "1"};
  const outcome result = tcsim(of_3x3(options));
  EXPECT_NE(result.out.find("shift / im2col: 0.3542 = 1/3 x 1.0625 (refilled lanes) x 1.0000"), std::string::npos) << result.out;
  std::vector<std::string> without = options;
  without.emplace_back("--no-data");
  const outcome timed = tcsim(of_3x3(without));
  EXPECT_EQ(timed.status, 0) << timed.err;
  const auto narrow = [](const std::string& text) { return std::regex_replace(text, std::regex(" +"), " "); };
  EXPECT_EQ(std::regex_replace(narrow(timed.out), std::regex("not compared"), "exact"), narrow(result.out));
}

TEST_F(convolution_command, writes_traces_that_are_right) {
  for (const std::string method : {"im2col", "shift"}) {
    EXPECT_EQ(
        tcsim(of_3x3({"--batch",   "2",   "--height",   "5",   "--width",  "40",  "--channels", "20",   "--filters", "3",
                      "--padding", "1x2", "--dilation", "1x2", "--stride", "2x1", "--method",   method, "--out",     method + ".trace"}))
            .status,
        0);
    const outcome check = tcsim({"trace", "check", method + ".trace"});
    EXPECT_EQ(check.status, 0) << check.err;
    EXPECT_NE(check.out.find("conv_" + method + "_2x5x40x20_3x3x3 for sm_100"), std::string::npos) << check.out;
    EXPECT_NE(check.out.find("2880 bytes compared"), std::string::npos) << "2 x 3 x 40 outputs of 3 filters: " << check.out;
    const outcome timed = tcsim({"run", method + ".trace", "--config", "blackwell", "--no-data"});
    EXPECT_TRUE(std::regex_search(timed.out, std::regex("tensor cores +[0-9.]*[1-9]"))) << "its tensor engine multiplies: " << timed.out;
  }
}

TEST_F(convolution_command, what_cannot_be_computed_is_refused) {
  expect_refusal(example({"--method", "shift", "--stride", "1x2"}), {"stride_W = 1, not 2", "im2col"});
  expect_refusal(example({"--out", "x.trace"}), {"x.trace", "--method im2col"});
  expect_refusal(example({"--method", "im2col", "--ashift"}), {"ashift", "shift method"});
  expect_refusal(example({"--dilation", "1x"}), {"--dilation 1x", "0x1"});
  expect_refusal(example({"--show-steps", "--lanes", "40"}), {"--lanes 40", "multiple of 32"});
  expect_refusal(example({"--show-steps", "--tile", "2"}), {"--tile 2", "0 to 1"});
  expect_refusal({"conv", "--config", "hopper", "--height", "9", "--width", "9", "--channels", "16", "--filters", "16"},
                 {"hopper", "sm_100"});
  expect_refusal({"conv", "--config", "blackwell", "--height", "9", "--width", "9", "--channels", "16"}, {"--filters"});
}

}  // namespace convolution_command_test
