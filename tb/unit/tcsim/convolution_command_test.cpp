#include <gtest/gtest.h>

#include "command_process.hpp"

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
