// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/kernels/convolution_problem.hpp>
#include <tc/kernels/pixel_direction.hpp>

namespace tc::kernels {

/// A pixel of the input; outside the image, or the batch, it is zero.
struct pixel_place {
  std::int64_t image = 0, h = 0, w = 0;
};

/// The order in which im2col copies take the pixels of the input: position after position of a row, then the next row of output pixels,
/// then the next image. Position f is position f % pitch of row f / pitch; it may be negative, or behind the last one, where all pixels are
/// zero.
///
/// Output pixels have positions too: position j < outputs of a row is the output of column first_output + j output_step. Their first tap
/// in a row of the filter is `padding` positions in front of them.
struct pixel_sequence {
  unsigned pitch = 0;       ///< positions of a row
  unsigned rows = 0;        ///< of output pixels, in all images
  unsigned image_rows = 0;  ///< of them in an image
  unsigned columns = 0;     ///< positions of a row, from the first one on, that have a tap
  unsigned outputs = 0, first_output = 0, output_step = 1;
  unsigned padding = 0;
  pixel_direction h, w;

  std::uint64_t positions() const { return std::uint64_t{rows} * pitch; }
  /// The pixel of a tap at a position.
  pixel_place pixel(std::int64_t position, unsigned r, unsigned s) const;
  /// The elements of the tensor maps at a position, without the offsets of a tap.
  pixel_place element(std::int64_t position) const;
  /// The output pixel at a position, in the order of the output tensor, whose rows have `width` pixels; -1 if there is none.
  std::int64_t output_pixel(std::uint64_t position, unsigned width) const;
};

/// The sequence of copies for each tap of the filter by itself: positions are output pixels. Throws convolution_error if paddings or
/// filters reach farther than tensor maps do.
pixel_sequence im2col_sequence(const convolution_problem& problem);

/// The sequences in which the next pixel of a row is that of the next tap: one for each column of outputs modulo dilation_W, whose taps are
/// in every dilation_W-th column of the input. A row has room for its outputs, or for its input if that is wider. Copies take the pixels of
/// a row's first tap. Throws convolution_error as im2col_sequence() does, and if stride_W is not 1.
std::vector<pixel_sequence> shift_sequences(const convolution_problem& problem);

}  // namespace tc::kernels
