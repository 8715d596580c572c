// SPDX-License-Identifier: Apache-2.0
#include "pixel_direction.hpp"

namespace tc::kernels {
namespace {

constexpr unsigned most_step = 8;  // of an element stride (CUDA driver API, cuTensorMapEncodeIm2col)

unsigned largest_step(unsigned stride) {
  unsigned step = most_step;
  while (stride % step != 0) --step;
  return step;
}

}  // namespace

pixel_direction::pixel_direction(unsigned size, std::int64_t first, unsigned apart, unsigned step, unsigned positions, unsigned dilation)
    : size_(size),
      first_(first),
      apart_(apart),
      step_(step),
      positions_(positions),
      dilation_(dilation),
      lower_(floor_division(first, apart)) {}

pixel_direction pixel_direction::of_outputs(unsigned size, std::int64_t first, unsigned stride, unsigned positions, unsigned dilation) {
  const unsigned step = largest_step(stride);
  return {size, first, stride / step, step, positions, dilation};
}

pixel_direction pixel_direction::of_neighbours(unsigned size, std::int64_t first, unsigned apart, unsigned positions) {
  return {size, first, apart, 1, positions, 0};
}

pixel_direction::tap pixel_direction::tap_at(unsigned number) const {
  const std::int64_t pixel = first_ + std::int64_t{number} * dilation_, element = floor_division(pixel, apart_);
  return {static_cast<unsigned>(pixel - element * apart_), static_cast<unsigned>(element - lower_)};
}

}  // namespace tc::kernels
