// SPDX-License-Identifier: Apache-2.0
#include "convolution_problem.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tc::kernels {
namespace {

constexpr unsigned largest_size = 1U << 20;
constexpr std::uint64_t largest_tensor = std::uint64_t{1} << 31;  // bytes

void require(const char* name, unsigned value, unsigned least) {
  if (value < least || value > largest_size)
    throw convolution_error(fmt::format("{} is {}; it must be from {} to {}", name, value, least, largest_size));
}

void require_output(const char* direction, unsigned outputs, unsigned size, unsigned taps, unsigned padding, unsigned dilation) {
  if (outputs != 0) return;
  throw convolution_error(
      fmt::format("there is no output: {} taps of the filter, {} apart, reach over {} pixels; the {} of the image is {}, and {} with its "
                  "padding; use more padding or a smaller filter",
                  taps, dilation, std::uint64_t{dilation} * (taps - 1) + 1, direction, size, std::uint64_t{size} + 2 * padding));
}

}  // namespace

void check_problem(const convolution_problem& problem) {
  require("the batch", problem.batch, 1);
  require("the height of the images", problem.image.height, 1);
  require("the width of the images", problem.image.width, 1);
  require("the number of channels", problem.channels, 1);
  require("the number of filters", problem.filters, 1);
  require("the height of the filters", problem.filter.height, 1);
  require("the width of the filters", problem.filter.width, 1);
  require("the padding", problem.padding.height, 0);
  require("the padding", problem.padding.width, 0);
  require("the stride", problem.stride.height, 1);
  require("the stride", problem.stride.width, 1);
  require("the dilation", problem.dilation.height, 1);
  require("the dilation", problem.dilation.width, 1);
  require_output("height", problem.output_height(), problem.image.height, problem.filter.height, problem.padding.height,
                 problem.dilation.height);
  require_output("width", problem.output_width(), problem.image.width, problem.filter.width, problem.padding.width, problem.dilation.width);
  // Sizes are at most 2^20 each: the products of all but the last factor fit 64 bits once they are known to be small.
  const double largest = std::max(
      {1.0 * problem.batch * problem.image.height * problem.image.width * problem.pixel_bytes(),
       1.0 * problem.filters * problem.filter.height * problem.filter.width * problem.pixel_bytes(),
       1.0 * problem.batch * problem.output_height() * problem.output_width() * problem.filters * convolution_problem::result_bytes});
  if (largest >= static_cast<double>(largest_tensor))
    throw convolution_error(
        fmt::format("a tensor takes {:.0f} bytes; less than {} are possible: use a smaller problem", largest, largest_tensor));
}

}  // namespace tc::kernels
