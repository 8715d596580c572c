// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include <tc/isa/asynchronous_operation.hpp>
#include <tc/isa/matrix_descriptor.hpp>
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

/// A part of a bulk copy: bytes that follow each other in both memories, in one line of global memory, or bytes outside the tensor.
struct copy_piece {
  std::uint32_t shared = 0;  ///< offset of its first byte from where the copy begins in shared memory, before swizzling
  std::uint32_t bytes = 0;   ///< at least 1
  bool inside = false;       ///< false: no byte of it is in global memory
  std::uint64_t global = 0;  ///< address of its first byte, if inside
};

/// Divides a bulk copy, of a box or linear, into pieces that global memory serves with one request each, in their order in shared memory.
class copy_walk {
 public:
  /// `map` is null for a linear copy and outlives the walk otherwise; `line_bytes`, a power of two, is the longest request.
  copy_walk(const isa::bulk_copy_operation& copy, const isa::tensor_map* map, std::uint32_t line_bytes);

  /// The next piece; false behind the last one.
  bool next(copy_piece& piece);

  /// Bytes of shared memory from the first to the last that the copy may touch.
  static std::uint64_t shared_bytes(const isa::bulk_copy_operation& copy, const isa::tensor_map* map);
  /// Bytes that a copy counts on its mbarrier: all of the box, whatever lies outside the tensor.
  static std::uint64_t counted_bytes(const isa::bulk_copy_operation& copy, const isa::tensor_map* map);

 private:
  std::optional<box_walk> box_;  // none: linear
  std::uint32_t line_bytes_;
  box_row row_{};
  std::uint32_t row_bytes_;
  std::uint32_t done_ = 0;  // bytes of the row
};

/// Where bytes of a bulk copy are to lie in shared memory.
struct shared_place {
  std::uint64_t window = 0;  ///< where the CTA's window begins in the shared memory of the SM
  std::uint32_t first = 0;   ///< address of the first byte in the window, before swizzling
  std::uint32_t bytes = 0;
  isa::swizzle_mode swizzle = isa::swizzle_mode::none;
};

/// Calls visit(address, offset, count) for each run of bytes that follow each other in shared memory after swizzling: `count` bytes at an
/// address of the SM, which are those from `offset` on. No run crosses a multiple of `row_bytes`, the width of all banks.
template <class Visitor>
void for_each_shared_run(const shared_place& place, std::uint32_t row_bytes, Visitor&& visit) {
  constexpr std::uint32_t unit_bytes = 16;  // keeps together (PTX ISA, "Swizzling Modes")
  const auto address_of = [&place](std::uint32_t offset) {
    return place.window + isa::swizzle_address(place.first + offset, place.swizzle);
  };
  for (std::uint32_t begin = 0, end = 0; begin < place.bytes; begin = end) {
    const std::uint64_t address = address_of(begin);
    do {
      end = std::min(end + unit_bytes - (place.first + end) % unit_bytes, place.bytes);
    } while (end < place.bytes && address_of(end) == address + (end - begin) && address_of(end) % row_bytes != 0);
    visit(address, begin, end - begin);
  }
}

}  // namespace tc::engine
