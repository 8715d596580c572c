// SPDX-License-Identifier: Apache-2.0
#include "tensor_copy_reference.hpp"

#include <array>

namespace tcsim::random_programs {

namespace isa = tc::isa;

namespace {

using position = std::array<std::int64_t, isa::max_tensor_rank>;

/// Which elements of dimension 0 begin the rows of a box, in the order in which the rows lie in shared memory.
std::vector<position> rows_of_tile(const isa::bulk_copy_operation& copy, const isa::tensor_map& map) {
  std::vector<position> rows{{}};
  for (unsigned d = map.rank; d-- > 1;) {
    std::vector<position> longer;
    for (const position& outer : rows)
      for (std::uint32_t i = 0; i < map.box.at(d); i += map.element_strides.at(d)) {
        longer.push_back(outer);
        longer.back().at(d) = std::int64_t{copy.coordinates.at(d)} + i;
      }
    rows = longer;
  }
  for (position& row : rows) row[0] = copy.coordinates[0];
  return rows;
}

/// The pixels of one dimension of the window: from the first one, or from the window's begin.
std::vector<std::int64_t> pixels_along(const isa::tensor_map& map, unsigned d, std::int64_t first) {
  std::vector<std::int64_t> pixels;
  for (std::int64_t at = first; at < std::int64_t{map.sizes.at(d)} + map.upper_corner.at(d - 1); at += map.element_strides.at(d))
    pixels.push_back(at);
  return pixels;
}

/// Adds pixels of the window, dimension by dimension from the outermost one, until there are enough. Those at the copy's coordinates come
/// first: `is_first` says that all dimensions further out are still there.
void add_pixels(const isa::bulk_copy_operation& copy, const isa::tensor_map& map, unsigned d, position at, bool is_first,
                std::vector<position>& rows) {
  if (rows.size() == map.pixels) return;
  if (d == 0) {
    rows.push_back(at);
    return;
  }
  const std::int64_t first = is_first ? copy.coordinates.at(d) : map.lower_corner.at(d - 1);
  for (const std::int64_t pixel : pixels_along(map, d, first)) {
    at.at(d) = pixel;
    add_pixels(copy, map, d - 1, at, is_first && pixel == first, rows);
  }
}

std::vector<position> rows_of_window(const isa::bulk_copy_operation& copy, const isa::tensor_map& map) {
  std::vector<position> rows;
  position at{copy.coordinates[0]};
  const unsigned images = map.rank - 1;
  for (std::int64_t image = copy.coordinates.at(images); rows.size() < map.pixels; ++image) {
    at.at(images) = image;
    add_pixels(copy, map, images - 1, at, image == copy.coordinates.at(images), rows);
  }
  for (position& row : rows)
    for (unsigned d = 1; d < images; ++d) row.at(d) += copy.im2col_offsets.at(d - 1);
  return rows;
}

/// Exchanges the units of 16 bytes of a swizzled row: with the number of its 128 bytes in the pattern.
std::uint64_t swizzled(std::uint64_t address, isa::swizzle_mode swizzle) {
  const auto exchanged = [address](std::uint64_t units) { return address ^ (address / 128 % units) * 16; };
  switch (swizzle) {
    case isa::swizzle_mode::bytes_32:
      return exchanged(2);
    case isa::swizzle_mode::bytes_64:
      return exchanged(4);
    case isa::swizzle_mode::bytes_128:
      return exchanged(8);
    default:
      return address;
  }
}

std::uint64_t distance_of_rows(const isa::tensor_map& map, std::uint64_t row_bytes) {
  switch (map.swizzle) {
    case isa::swizzle_mode::bytes_32:
      return 32;
    case isa::swizzle_mode::bytes_64:
      return 64;
    case isa::swizzle_mode::bytes_128:
      return 128;
    default:
      return row_bytes;
  }
}

bool is_in_tensor(const position& at, const isa::tensor_map& map) {
  for (unsigned d = 0; d < map.rank; ++d)
    if (at.at(d) < 0 || at.at(d) >= map.sizes.at(d)) return false;
  return true;
}

/// Byte `i` of an element that lies outside.
std::uint8_t outside(const isa::tensor_map& map, unsigned i) {
  if (!map.fill_nan) return 0;
  return i + 1 == map.element_bytes ? 0x7f : 0xff;
}

}  // namespace

std::uint32_t copy_box(const isa::bulk_copy_operation& copy, const isa::tensor_map& map, global_bytes& global,
                       std::vector<std::uint8_t>& shared) {
  const std::uint64_t elements = map.im2col ? map.channels : map.box[0], row_bytes = elements * map.element_bytes;
  const std::vector<position> rows = map.im2col ? rows_of_window(copy, map) : rows_of_tile(copy, map);
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::uint64_t element = 0; element < elements; ++element) {
      position at = rows[row];
      at[0] += static_cast<std::int64_t>(element);
      const bool is_inside = is_in_tensor(at, map);
      std::uint64_t address = map.base + static_cast<std::uint64_t>(at[0]) * map.element_bytes;
      for (unsigned d = 1; d < map.rank; ++d) address += static_cast<std::uint64_t>(at.at(d)) * map.strides_bytes.at(d);
      for (unsigned i = 0; i < map.element_bytes; ++i) {
        const std::uint64_t place = copy.shared + row * distance_of_rows(map, row_bytes) + element * map.element_bytes + i;
        std::uint8_t& byte = shared.at(swizzled(place, map.swizzle));
        if (copy.to_shared)
          byte = is_inside ? global.at(address + i) : outside(map, i);
        else if (is_inside)
          global.at(address + i) = byte;
      }
    }
  return static_cast<std::uint32_t>(rows.size() * row_bytes);
}

}  // namespace tcsim::random_programs
