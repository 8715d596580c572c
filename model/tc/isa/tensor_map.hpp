// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/isa/matrix_descriptor.hpp>

namespace tc::isa {

/// Dimensions that a tensor of a bulk copy may have (PTX ISA, "Tensor Dimension, size and format").
inline constexpr unsigned max_tensor_rank = 5;

/// A tensor in global memory and the box of it that a bulk tensor copy moves, as cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col
/// describe them (CUDA driver API). Dimension 0 is the innermost, whose elements follow each other.
struct tensor_map {
  bool im2col = false;
  unsigned element_bytes = 0;                          ///< 1, 2, 4 or 8
  unsigned rank = 0;                                   ///< 1 to 5; 3 to 5 of im2col: C, W, [H, [D,]] N
  std::uint64_t base = 0;                              ///< byte address in global memory, a multiple of 16
  std::array<std::uint32_t, max_tensor_rank> sizes{};  ///< elements
  std::array<std::uint64_t, max_tensor_rank>
      strides_bytes{};                               ///< from an element to the next of each dimension; multiples of 16 but for the first
  std::array<std::uint32_t, max_tensor_rank> box{};  ///< tiled: extent of the box in elements, 1 to 256
  std::array<std::uint32_t, max_tensor_rank> element_strides{
      1, 1, 1, 1, 1};  ///< 1 to 8: every so many elements of a dimension are taken; the innermost has none

  // Of im2col: where the corners of the window of pixels lie relative to the tensor's, for W, H, D.
  std::array<std::int32_t, 3> lower_corner{}, upper_corner{};
  std::uint32_t channels = 0;  ///< elements of C in a box, up to 256
  std::uint32_t pixels = 0;    ///< pixels in a box, up to 1024

  swizzle_mode swizzle = swizzle_mode::none;
  /// What stands for elements outside the tensor: zero, or of floating-point types a NaN with all bits set but the sign.
  bool fill_nan = false;

  /// Elements that a tiled box takes of a dimension (CUDA driver API: the extent, divided by the element stride and rounded up).
  std::uint32_t box_elements(unsigned d) const { return d == 0 ? box[0] : (box[d] + element_strides[d] - 1) / element_strides[d]; }

  /// Bytes of the whole box: what a copy counts on its mbarrier, whatever lies outside the tensor.
  std::uint64_t box_bytes() const {
    if (im2col) return std::uint64_t{channels} * pixels * element_bytes;
    std::uint64_t bytes = element_bytes;
    for (unsigned d = 0; d < rank; ++d) bytes *= box_elements(d);
    return bytes;
  }
};

/// Bytes of shared memory that a box takes. Its rows of dimension 0 lie as far apart as the swizzle is wide, if there is one (CUDA C++
/// Programming Guide, "TMA Swizzle").
inline std::uint64_t shared_bytes(const tensor_map& map) {
  const std::uint64_t row = std::uint64_t{map.im2col ? map.channels : map.box[0]} * map.element_bytes;
  return map.swizzle == swizzle_mode::none ? map.box_bytes() : map.box_bytes() / row * row_bytes(map.swizzle);
}

}  // namespace tc::isa
