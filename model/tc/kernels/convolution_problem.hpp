// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>

namespace tc::kernels {

/// A convolution that the machine, or a method of computing it, cannot do: what() says what is wrong and what would be right.
class convolution_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A number for each direction in an image.
struct image_extent {
  unsigned height = 0, width = 0;
};

/// A convolution of images with filters: output(n, p, q, k) is the sum over r, s and c of
/// input(n, p stride_H + r dilation_H - padding_H, q stride_W + s dilation_W - padding_W, c) x filter(k, r, s, c), where pixels outside the
/// image are zero. Input and filters are f16 with C innermost (NHWC and KRSC), the output is f32 with K innermost (NPQK). C is padded with
/// zeros to a multiple of 16, the K of an instruction.
struct convolution_problem {
  static constexpr unsigned channel_unit = 16, element_bytes = 2, result_bytes = 4;

  unsigned batch = 1;         ///< N
  image_extent image{};       ///< H and W
  unsigned channels = 0;      ///< C
  unsigned filters = 0;       ///< K
  image_extent filter{1, 1};  ///< R and S
  image_extent padding{0, 0}, stride{1, 1}, dilation{1, 1};

  unsigned padded_channels() const { return (channels + channel_unit - 1) / channel_unit * channel_unit; }
  unsigned output_height() const { return outputs(image.height, filter.height, padding.height, stride.height, dilation.height); }  ///< P
  unsigned output_width() const { return outputs(image.width, filter.width, padding.width, stride.width, dilation.width); }        ///< Q
  std::uint64_t output_pixels() const { return std::uint64_t{batch} * output_height() * output_width(); }
  std::uint64_t multiply_accumulates() const { return output_pixels() * filters * filter.height * filter.width * channels; }

  unsigned pixel_bytes() const { return padded_channels() * element_bytes; }  ///< of the input
  std::uint64_t input_bytes() const { return std::uint64_t{batch} * image.height * image.width * pixel_bytes(); }
  std::uint64_t filter_bytes() const { return std::uint64_t{filters} * filter.height * filter.width * pixel_bytes(); }
  std::uint64_t output_bytes() const { return output_pixels() * filters * result_bytes; }

 private:
  /// Outputs in one direction; 0 if the filter does not fit into the padded image.
  static constexpr unsigned outputs(unsigned size, unsigned taps, unsigned pad, unsigned step, unsigned apart) {
    const std::uint64_t padded = std::uint64_t{size} + 2 * std::uint64_t{pad}, reach = std::uint64_t{apart} * (taps - 1) + 1;
    return padded < reach ? 0 : static_cast<unsigned>((padded - reach) / step + 1);
  }
};

/// Throws convolution_error if a size is 0, or larger than tensors that bulk copies reach, or if there is no output.
void check_problem(const convolution_problem& problem);

}  // namespace tc::kernels
