// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/isa/asynchronous_operation.hpp>
#include <tc/isa/tensor_map.hpp>

namespace tc::engine {

/// One row of a box: elements of the innermost dimension, which follow each other in both memories.
struct box_row {
  std::uint32_t shared = 0;         ///< offset of its first element from the box's, as it lies in shared memory before swizzling
  std::uint32_t outside_bytes = 0;  ///< of elements before the tensor's first one, or of all if none lies in the tensor
  std::uint32_t inside_bytes = 0;   ///< of elements in the tensor, which follow those; what is left of the row lies behind the tensor
  std::uint64_t global = 0;         ///< address of the first of them
};

/// Goes through the rows of the box that a bulk tensor copy moves, in their order in shared memory.
///
/// A tiled box takes every element_strides-th element of each dimension but the innermost, from the copy's coordinates on. An im2col box
/// takes pixels, all of them with the same channels: from the pixel at the copy's coordinates on, along W, H, D and N, in steps of
/// element_strides, within the window that reaches from the lower corner to the tensor's last element plus the upper corner. The offsets of
/// the copy, the position in a filter, are added to each pixel. (PTX ISA, "Tensors"; CUDA driver API, cuTensorMapEncodeTiled and
/// cuTensorMapEncodeIm2col; an H200 does the same.)
class box_walk {
 public:
  /// The map outlives the walk.
  box_walk(const isa::tensor_map& map, const isa::bulk_copy_operation& copy);

  std::uint32_t row_bytes() const { return row_elements_ * map_->element_bytes; }
  /// From a row to the next one in shared memory: swizzled rows take the width of the swizzle (CUDA C++ Programming Guide, "TMA Swizzle";
  /// recorded on an H200, which leaves the rest of each row as it is).
  std::uint32_t row_pitch() const { return row_pitch_; }

  /// The next row; false behind the last one.
  bool next(box_row& row);

 private:
  using position = std::array<std::int64_t, isa::max_tensor_rank>;  // by dimension; may lie outside the tensor

  position element() const;
  void find_in_tensor(const position& first, box_row& row) const;
  void advance_tile();
  void advance_pixel();

  const isa::tensor_map* map_;
  position start_{};
  position at_{};       // of the row: tiled, its elements' position; im2col, its pixel's, before the offsets
  position offsets_{};  // of im2col
  std::array<std::uint32_t, isa::max_tensor_rank> index_{};  // tiled: of the row in each dimension of the box
  std::uint32_t row_elements_, row_pitch_, rows_left_;
  std::uint32_t shared_ = 0;
};

}  // namespace tc::engine
