// SPDX-License-Identifier: Apache-2.0
#include "copy_walk.hpp"

#include <algorithm>

#include <tc/isa/matrix_descriptor.hpp>

namespace tc::engine {

namespace {

std::uint32_t rows_of(const isa::tensor_map& map) {
  if (map.im2col) return map.pixels;
  std::uint32_t rows = 1;
  for (unsigned d = 1; d < map.rank; ++d) rows *= map.box_elements(d);
  return rows;
}

}  // namespace

box_walk::box_walk(const isa::tensor_map& map, const isa::bulk_copy_operation& copy)
    : map_(&map),
      row_elements_(map.im2col ? map.channels : map.box[0]),
      row_pitch_(map.swizzle == isa::swizzle_mode::none ? row_elements_ * map.element_bytes : isa::row_bytes(map.swizzle)),
      rows_left_(rows_of(map)) {
  std::copy_n(copy.coordinates.begin(), map.rank, start_.begin());
  at_ = start_;
  if (map.im2col) std::copy_n(copy.im2col_offsets.begin(), map.rank - 2, offsets_.begin() + 1);
}

bool box_walk::next(box_row& row) {
  if (rows_left_ == 0) return false;
  row = {shared_, row_bytes(), 0, 0};
  find_in_tensor(element(), row);
  shared_ += row_pitch_;
  --rows_left_;
  if (map_->im2col)
    advance_pixel();
  else
    advance_tile();
  return true;
}

/// Where the first element of the row lies in the tensor.
box_walk::position box_walk::element() const {
  position first = at_;
  for (unsigned d = 0; d < map_->rank; ++d) first[d] += offsets_[d];
  return first;
}

/// Fills in what lies inside, if anything does.
void box_walk::find_in_tensor(const position& first, box_row& row) const {
  std::uint64_t address = map_->base;
  for (unsigned d = 1; d < map_->rank; ++d) {
    if (first[d] < 0 || first[d] >= map_->sizes[d]) return;
    address += static_cast<std::uint64_t>(first[d]) * map_->strides_bytes[d];
  }
  const std::int64_t begin = std::max<std::int64_t>(first[0], 0);
  const std::int64_t end = std::min<std::int64_t>(first[0] + row_elements_, map_->sizes[0]);
  if (begin >= end) return;
  row.outside_bytes = static_cast<std::uint32_t>(begin - first[0]) * map_->element_bytes;
  row.inside_bytes = static_cast<std::uint32_t>(end - begin) * map_->element_bytes;
  row.global = address + static_cast<std::uint64_t>(begin) * map_->element_bytes;
}

void box_walk::advance_tile() {
  for (unsigned d = 1; d < map_->rank; ++d) {
    at_[d] += map_->element_strides[d];
    if (++index_[d] < map_->box_elements(d)) return;
    index_[d] = 0;
    at_[d] = start_[d];
  }
}

void box_walk::advance_pixel() {
  const unsigned images = map_->rank - 1;  // dimension N
  for (unsigned d = 1; d < images; ++d) {
    at_[d] += map_->element_strides[d];
    if (at_[d] < std::int64_t{map_->sizes[d]} + map_->upper_corner[d - 1]) return;
    at_[d] = map_->lower_corner[d - 1];
  }
  ++at_[images];
}

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
