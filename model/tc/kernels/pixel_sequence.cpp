// SPDX-License-Identifier: Apache-2.0
#include "pixel_sequence.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/kernels/convolution_problem.hpp>

namespace tc::kernels {
namespace {

constexpr std::int64_t corner_limit = 128;  // of tensors of images: 8 bits with sign (CUDA driver API, cuTensorMapEncodeIm2col)
constexpr unsigned most_offset = 255;       // of a copy, likewise (PTX ISA, cp.async.bulk.tensor)

void check_corner(char direction, std::int64_t corner) {
  if (-corner_limit <= corner && corner < corner_limit) return;
  throw convolution_error(
      fmt::format("the pixels of a tap along {} begin or end {} pixels from the edge of the image; im2col copies reach from {} to {}: use "
                  "less padding, or a smaller filter or dilation",
                  direction, corner, -corner_limit, corner_limit - 1));
}

/// Throws convolution_error if a tensor map or a copy does not hold what a direction needs.
void check_reach(char direction, const pixel_direction& pixels, unsigned taps) {
  check_corner(direction, pixels.lower_corner());
  for (unsigned number = 0; number < taps; ++number) {
    const pixel_direction::tap tap = pixels.tap_at(number);
    check_corner(direction, pixels.upper_corner(tap.remainder));
    if (tap.offset > most_offset)
      throw convolution_error(
          fmt::format("tap {} along {} is {} pixels from the first one; im2col copies have offsets up to {}: use a smaller "
                      "filter or dilation",
                      number, direction, tap.offset, most_offset));
  }
}

/// Both methods take the rows alike.
pixel_direction rows_of(const convolution_problem& problem) {
  const auto rows = pixel_direction::of_outputs(problem.image.height, -std::int64_t{problem.padding.height}, problem.stride.height,
                                                problem.output_height(), problem.dilation.height);
  check_reach('H', rows, problem.filter.height);
  return rows;
}

/// Outputs `first`, first + dilation, ... have their taps in the columns that are congruent to first - padding modulo the dilation.
pixel_sequence shift_sequence(const convolution_problem& problem, unsigned dilation, unsigned first) {
  const std::int64_t tap = std::int64_t{first} - problem.padding.width, tap_position = floor_division(tap, dilation);
  const auto column = static_cast<unsigned>(tap - tap_position * dilation);
  const unsigned outputs = (problem.output_width() - first + dilation - 1) / dilation;
  const unsigned columns = column < problem.image.width ? (problem.image.width - column + dilation - 1) / dilation : 0;
  const unsigned pitch = std::max(outputs, columns);
  const auto pixels = pixel_direction::of_neighbours(problem.image.width, column, dilation, pitch);
  check_reach('W', pixels, 1);
  return {pitch,    problem.batch * problem.output_height(), problem.output_height(), columns, outputs, first,
          dilation, static_cast<unsigned>(-tap_position),    rows_of(problem),        pixels};
}

}  // namespace

pixel_place pixel_sequence::pixel(std::int64_t position, unsigned r, unsigned s) const {
  const std::int64_t row = floor_division(position, pitch), image = floor_division(row, image_rows);
  return {image, h.pixel(row - image * image_rows, r), w.pixel(position - row * pitch, s)};
}

pixel_place pixel_sequence::element(std::int64_t position) const {
  const std::int64_t row = floor_division(position, pitch), image = floor_division(row, image_rows);
  return {image, h.element(row - image * image_rows), w.element(position - row * pitch)};
}

std::int64_t pixel_sequence::output_pixel(std::uint64_t position, unsigned width) const {
  const std::uint64_t row = position / pitch, column = position % pitch;
  if (row >= rows || column >= outputs) return -1;
  return static_cast<std::int64_t>(row * width + first_output + column * output_step);
}

pixel_sequence im2col_sequence(const convolution_problem& problem) {
  const unsigned width = problem.output_width(), height = problem.output_height();
  const auto pixels = pixel_direction::of_outputs(problem.image.width, -std::int64_t{problem.padding.width}, problem.stride.width, width,
                                                  problem.dilation.width);
  check_reach('W', pixels, problem.filter.width);
  return {width, problem.batch * height, height, width, width, 0, 1, 0, rows_of(problem), pixels};
}

std::vector<pixel_sequence> shift_sequences(const convolution_problem& problem) {
  if (problem.stride.width != 1)
    throw convolution_error(
        fmt::format("the shift method needs stride_W = 1, not {}: a shift moves every lane's pixel on by one, to that of the lane's next "
                    "tap, and outputs {} columns apart would leave out lanes; use the im2col method",
                    problem.stride.width, problem.stride.width));
  const unsigned dilation = problem.filter.width == 1 ? 1 : problem.dilation.width;
  std::vector<pixel_sequence> sequences;
  for (unsigned first = 0; first < std::min(dilation, problem.output_width()); ++first)
    sequences.push_back(shift_sequence(problem, dilation, first));
  return sequences;
}

}  // namespace tc::kernels
