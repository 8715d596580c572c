// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tc::kernels {

/// Pixels of one direction of an image, height or width, as im2col copies take them for one tap of the filter after the other. Position i
/// has for tap t the pixel first + i stride + t dilation.
///
/// A tensor map has an element stride of up to 8 only. So there is a map for each remainder of pixels modulo `apart`, of the pixels with
/// that remainder; in it, positions are `step` elements apart, and stride = apart step. A tap is in the map of its remainder, some elements
/// behind the first one of all taps.
class pixel_direction {
 public:
  /// What im2col copies take for a tap: a map, and the offset that they add.
  struct tap {
    unsigned remainder = 0, offset = 0;
  };

  /// Positions that are `stride` pixels apart.
  static pixel_direction of_outputs(unsigned size, std::int64_t first, unsigned stride, unsigned positions, unsigned dilation);
  /// Positions that have neighbouring elements of a map whose pixels are `apart` pixels apart.
  static pixel_direction of_neighbours(unsigned size, std::int64_t first, unsigned apart, unsigned positions);

  unsigned apart() const { return apart_; }
  unsigned step() const { return step_; }
  tap tap_at(unsigned number) const;
  std::int64_t pixel(std::int64_t position, unsigned tap_number) const {
    return first_ + position * apart_ * step_ + std::int64_t{tap_number} * dilation_;
  }
  bool is_inside(std::int64_t pixel) const { return pixel >= 0 && pixel < size_; }

  /// Element of a map at a position, without the offset of a tap.
  std::int64_t element(std::int64_t position) const { return lower_ + position * step_; }
  /// Elements of a map: 0 if no pixel of the image has the remainder.
  unsigned elements(unsigned remainder) const { return remainder < size_ ? (size_ - remainder + apart_ - 1) / apart_ : 0; }
  /// Corners of the window of positions, relative to the first and behind the last element of a map (CUDA driver API,
  /// cuTensorMapEncodeIm2col).
  std::int64_t lower_corner() const { return lower_; }
  std::int64_t upper_corner(unsigned remainder) const { return element(positions_ - 1) + 1 - elements(remainder); }

 private:
  pixel_direction(unsigned size, std::int64_t first, unsigned apart, unsigned step, unsigned positions, unsigned dilation);

  unsigned size_;
  std::int64_t first_;
  unsigned apart_, step_, positions_, dilation_;
  std::int64_t lower_;  ///< element of the first tap at position 0
};

/// The largest integer that is not above the quotient.
constexpr std::int64_t floor_division(std::int64_t value, std::int64_t divisor) { return value / divisor - (value % divisor < 0 ? 1 : 0); }

}  // namespace tc::kernels
