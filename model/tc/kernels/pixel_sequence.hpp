#pragma once

#include <cstdint>
#include <vector>

#include <tc/kernels/convolution_problem.hpp>

namespace tc::kernels {

/// Place of a pixel; outside the image, or the batch, it is zero.
struct pixel_place {
  std::int64_t image = 0, h = 0, w = 0;
};

/// The order in which im2col copies take the pixels of the input: position after position of a row, `step.width` columns apart, then the
/// next row of output pixels, `step.height` rows further, then the next image (CUDA driver API, cuTensorMapEncodeIm2col). Position f is
/// position f % pitch of row f / pitch; it may be negative, or behind the last one, where all pixels are zero.
///
/// Output pixels have positions too: position j < outputs of a row is the output of column first_output + j output_step. Their first tap
/// in a row of the filter is `padding` positions in front of them.
struct pixel_sequence {
  static constexpr unsigned most_step = 8;  ///< of an im2col copy

  unsigned pitch = 0;       ///< positions of a row
  unsigned rows = 0;        ///< of output pixels, in all images
  unsigned image_rows = 0;  ///< of them in an image
  unsigned columns = 0;     ///< positions of a row that are inside the image for every row that is
  unsigned outputs = 0, first_output = 0, output_step = 1;
  unsigned padding = 0;
  std::int32_t lower_h = 0, lower_w = 0, upper_h = 0, upper_w = 0;  ///< corners of the window of pixels
  image_extent step{1, 1};

  std::uint64_t positions() const { return std::uint64_t{rows} * pitch; }
  /// The pixel at a position, before the offsets of a copy.
  pixel_place place(std::int64_t position) const;
  /// The output pixel at a position, in the order of the output tensor, whose rows have `width` pixels; -1 if there is none.
  std::int64_t output_pixel(std::uint64_t position, unsigned width) const;
};

/// The sequence of copies for each tap of the filter by itself: positions are output pixels, the taps are the offsets of the copies.
/// Throws convolution_error if strides, paddings or dilations are larger than tensor maps hold.
pixel_sequence im2col_sequence(const convolution_problem& problem);

/// The sequences in which the next pixel of a row is that of the next tap: one for each column of outputs modulo dilation_W, whose taps are
/// in every dilation_W-th column of the input. A row has room for its outputs, or for its input if that is wider. Throws convolution_error
/// as im2col_sequence() does, and if stride_W is not 1.
std::vector<pixel_sequence> shift_sequences(const convolution_problem& problem);

}  // namespace tc::kernels
