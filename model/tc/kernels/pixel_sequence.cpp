#include "pixel_sequence.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/kernels/convolution_error.hpp>

namespace tc::kernels {
namespace {

constexpr std::int64_t corner_limit = 128;  // of tensors of images: 8 bits with sign (CUDA driver API, cuTensorMapEncodeIm2col)
constexpr unsigned most_offset = 255;       // of a copy, likewise (PTX ISA, cp.async.bulk.tensor)

std::int64_t floor_division(std::int64_t value, std::int64_t divisor) { return value / divisor - (value % divisor < 0 ? 1 : 0); }

void require_corner(const char* direction, std::int64_t corner, unsigned padding, unsigned dilation, unsigned taps) {
  if (-corner_limit <= corner && corner < corner_limit) return;
  throw convolution_error(
      fmt::format("the pixels of a tap along {} begin or end {} pixels from the image's edge; im2col copies reach from {} to {}: use less "
                  "padding than {}, or a smaller filter than {} taps, {} apart",
                  direction, corner, -corner_limit, corner_limit - 1, padding, taps, dilation));
}

void require_step(const char* name, unsigned step) {
  if (step > pixel_sequence::most_step)
    throw convolution_error(fmt::format("{} is {}; im2col copies take every pixel to every {}th", name, step, pixel_sequence::most_step));
}

void require_offset(const char* direction, unsigned taps, unsigned dilation) {
  if (std::uint64_t{taps - 1} * dilation > most_offset)
    throw convolution_error(fmt::format("the last of {} taps along {} is {} pixels from the first; im2col copies have offsets up to {}",
                                        taps, direction, std::uint64_t{taps - 1} * dilation, most_offset));
}

/// Where a window of `count` positions, `step` pixels apart, ends relative to the image's edge.
std::int64_t upper_corner(std::int64_t lower, unsigned count, unsigned step, unsigned size) {
  return lower + std::int64_t{count - 1} * step + 1 - size;
}

/// The rows, which both methods take alike.
void set_rows(pixel_sequence& sequence, const convolution_problem& problem) {
  require_step("stride_H", problem.stride.height);
  require_offset("H", problem.filter.height, problem.dilation.height);
  sequence.image_rows = problem.output_height();
  sequence.rows = problem.batch * sequence.image_rows;
  sequence.step.height = problem.stride.height;
  const std::int64_t lower = -std::int64_t{problem.padding.height};
  const std::int64_t upper = upper_corner(lower, sequence.image_rows, problem.stride.height, problem.image.height);
  for (const std::int64_t corner : {lower, upper})
    require_corner("H", corner, problem.padding.height, problem.dilation.height, problem.filter.height);
  sequence.lower_h = static_cast<std::int32_t>(lower);
  sequence.upper_h = static_cast<std::int32_t>(upper);
}

/// The columns: `pitch` positions from column `lower` on.
void set_columns(pixel_sequence& sequence, const convolution_problem& problem, std::int64_t lower, unsigned step) {
  sequence.step.width = step;
  const std::int64_t upper = upper_corner(lower, sequence.pitch, step, problem.image.width);
  for (const std::int64_t corner : {lower, upper})
    require_corner("W", corner, problem.padding.width, problem.dilation.width, problem.filter.width);
  sequence.lower_w = static_cast<std::int32_t>(lower);
  sequence.upper_w = static_cast<std::int32_t>(upper);
}

/// Outputs `first`, first + dilation, ... have their taps in the columns that are congruent to first - padding modulo the dilation.
pixel_sequence shift_sequence(const convolution_problem& problem, unsigned dilation, unsigned first) {
  pixel_sequence sequence;
  set_rows(sequence, problem);
  const std::int64_t tap = std::int64_t{first} - problem.padding.width, tap_position = floor_division(tap, dilation);
  const auto column = static_cast<unsigned>(tap - tap_position * dilation);
  sequence.first_output = first;
  sequence.output_step = dilation;
  sequence.outputs = (problem.output_width() - first + dilation - 1) / dilation;
  sequence.columns = column < problem.image.width ? (problem.image.width - column + dilation - 1) / dilation : 0;
  sequence.padding = static_cast<unsigned>(-tap_position);
  sequence.pitch = std::max(sequence.outputs, sequence.columns);
  set_columns(sequence, problem, column, dilation);
  return sequence;
}

}  // namespace

pixel_place pixel_sequence::place(std::int64_t position) const {
  const std::int64_t row = floor_division(position, pitch), image = floor_division(row, image_rows);
  return {image, lower_h + (row - image * image_rows) * step.height, lower_w + (position - row * pitch) * step.width};
}

std::int64_t pixel_sequence::output_pixel(std::uint64_t position, unsigned width) const {
  const std::uint64_t row = position / pitch, column = position % pitch;
  if (row >= rows || column >= outputs) return -1;
  return static_cast<std::int64_t>(row * width + first_output + column * output_step);
}

pixel_sequence im2col_sequence(const convolution_problem& problem) {
  pixel_sequence sequence;
  set_rows(sequence, problem);
  require_step("stride_W", problem.stride.width);
  require_offset("W", problem.filter.width, problem.dilation.width);
  sequence.pitch = sequence.outputs = sequence.columns = problem.output_width();
  set_columns(sequence, problem, -std::int64_t{problem.padding.width}, problem.stride.width);
  return sequence;
}

std::vector<pixel_sequence> shift_sequences(const convolution_problem& problem) {
  if (problem.stride.width != 1)
    throw convolution_error(
        fmt::format("the shift method needs stride_W = 1, not {}: a shift moves every lane's pixel on by one, to that of the lane's next "
                    "tap, and outputs {} columns apart would leave out lanes; use the im2col method",
                    problem.stride.width, problem.stride.width));
  const unsigned dilation = problem.filter.width == 1 ? 1 : problem.dilation.width;
  require_step("dilation_W of the shift method", dilation);
  std::vector<pixel_sequence> sequences;
  for (unsigned first = 0; first < std::min(dilation, problem.output_width()); ++first)
    sequences.push_back(shift_sequence(problem, dilation, first));
  return sequences;
}

}  // namespace tc::kernels
