// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <tc/engine/box_walk.hpp>

namespace tc::engine {

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

}  // namespace tc::engine
