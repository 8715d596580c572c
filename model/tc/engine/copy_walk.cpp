// SPDX-License-Identifier: Apache-2.0
#include "copy_walk.hpp"

#include <algorithm>

namespace tc::engine {

copy_walk::copy_walk(const isa::bulk_copy_operation& copy, const isa::tensor_map* map, std::uint32_t line_bytes) : line_bytes_(line_bytes) {
  if (map == nullptr) {
    row_bytes_ = row_.inside_bytes = copy.bytes;
    row_.global = copy.global;
    return;
  }
  box_.emplace(*map, copy);
  row_bytes_ = done_ = box_->row_bytes();
}

bool copy_walk::next(copy_piece& piece) {
  if (done_ == row_bytes_) {
    if (!box_ || !box_->next(row_)) return false;
    done_ = 0;
  }
  piece.shared = row_.shared + done_;
  piece.inside = done_ >= row_.outside_bytes && done_ < row_.outside_bytes + row_.inside_bytes;
  std::uint32_t left = line_bytes_;
  if (piece.inside) {
    const std::uint32_t offset = done_ - row_.outside_bytes;
    piece.global = row_.global + offset;
    left = std::min(row_.inside_bytes - offset, line_bytes_ - static_cast<std::uint32_t>(piece.global % line_bytes_));
  } else if (done_ < row_.outside_bytes) {
    left = row_.outside_bytes - done_;
  }
  piece.bytes = std::min({left, row_bytes_ - done_, line_bytes_});
  done_ += piece.bytes;
  return true;
}

std::uint64_t copy_walk::shared_bytes(const isa::bulk_copy_operation& copy, const isa::tensor_map* map) {
  return map == nullptr ? copy.bytes : isa::shared_bytes(*map);
}

std::uint64_t copy_walk::counted_bytes(const isa::bulk_copy_operation& copy, const isa::tensor_map* map) {
  return map == nullptr ? copy.bytes : map->box_bytes();
}

}  // namespace tc::engine
