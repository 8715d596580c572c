// SPDX-License-Identifier: Apache-2.0
#include "memory_reference.hpp"

#include <array>
#include <functional>

namespace tcsim::random_programs {

namespace isa = tc::isa;
using isa::memory_action;
using isa::memory_space;

namespace {

/// A byte of the memory that an instruction accesses.
using byte_reference = std::function<std::uint8_t&(std::uint64_t address)>;

constexpr unsigned matrix_lines = 8, line_bytes = 16, store_data = 1;

void load(const tc::trace::step& step, const byte_reference& byte, warp_state& warp) {
  const isa::instruction& code = *step.code;
  const unsigned bytes = code.mods.access_bits / 8;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((step.mask >> lane & 1U) == 0) continue;
    lane_view view(code, warp, lane);
    for (unsigned first = 0; first < bytes; first += 4) {
      std::uint32_t value = 0;
      for (unsigned i = first; i < bytes && i < first + 4; ++i) value |= std::uint32_t{byte(step.addresses[lane] + i)} << 8 * (i - first);
      if (bytes < 4 && code.mods.access_signed && (value >> (8 * bytes - 1)) != 0) value -= 1U << 8 * bytes;
      view.give(value, first / 4);
    }
  }
}

/// Of lanes that store to one address the highest one wins, as it comes last.
void store(const tc::trace::step& step, const byte_reference& byte, warp_state& warp) {
  const isa::instruction& code = *step.code;
  const unsigned bytes = code.mods.access_bits / 8;
  const bool is_zero = code.sources.at(store_data).index == isa::zero_register;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((step.mask >> lane & 1U) == 0) continue;
    const lane_view view(code, warp, lane);
    for (unsigned i = 0; i < bytes; ++i)
      byte(step.addresses[lane] + i) = is_zero ? 0 : static_cast<std::uint8_t>(view.bits(store_data, i / 4) >> 8 * (i % 4));
  }
}

/// Lane and half of its register that hold an element of an 8x8 matrix (PTX ISA, ldmatrix).
struct matrix_holder {
  unsigned lane, half;

  matrix_holder(unsigned row, unsigned column, bool transposed)
      : lane(transposed ? 4 * column + row / 2 : 4 * row + column / 2), half(transposed ? row % 2 : column % 2) {}
};

std::uint32_t with_half(std::uint32_t word, unsigned half, std::uint32_t value) {
  const unsigned shift = 16 * half;
  return (word & ~(0xffffU << shift)) | value << shift;
}

void load_matrices(const tc::trace::step& step, const byte_reference& byte, warp_state& warp) {
  const isa::instruction& code = *step.code;
  for (unsigned matrix = 0; matrix < code.mods.matrices; ++matrix)
    for (unsigned row = 0; row < matrix_lines; ++row)
      for (unsigned column = 0; column < matrix_lines; ++column) {
        const std::uint64_t address = step.addresses[matrix_lines * matrix + row] + 2 * column;
        const std::uint32_t element = byte(address) | std::uint32_t{byte(address + 1)} << 8U;
        const matrix_holder holder(row, column, code.mods.transpose);
        std::uint32_t& word = warp.registers.at(code.destinations.at(0).index + matrix).at(holder.lane);
        word = with_half(word, holder.half, element);
      }
}

void store_matrices(const tc::trace::step& step, const byte_reference& byte, warp_state& warp) {
  const isa::instruction& code = *step.code;
  for (unsigned matrix = 0; matrix < code.mods.matrices; ++matrix)
    for (unsigned row = 0; row < matrix_lines; ++row)
      for (unsigned column = 0; column < matrix_lines; ++column) {
        const matrix_holder holder(row, column, code.mods.transpose);
        const std::uint32_t element = lane_view(code, warp, holder.lane).bits(store_data, matrix) >> 16 * holder.half;
        const std::uint64_t address = step.addresses[matrix_lines * matrix + row] + 2 * column;
        byte(address) = static_cast<std::uint8_t>(element);
        byte(address + 1) = static_cast<std::uint8_t>(element >> 8U);
      }
}

/// MOVM: what a matrix would be after it is stored by rows and loaded by columns.
void transpose(const isa::instruction& code, warp_state& warp) {
  lane_words result{};
  for (unsigned row = 0; row < matrix_lines; ++row)
    for (unsigned column = 0; column < matrix_lines; ++column) {
      const matrix_holder from(row, column, false), to(row, column, true);
      result.at(to.lane) = with_half(result.at(to.lane), to.half, lane_view(code, warp, from.lane).bits(0) >> 16 * from.half & 0xffffU);
    }
  for (unsigned lane = 0; lane < lanes; ++lane) lane_view(code, warp, lane).give(result.at(lane));
}

}  // namespace

std::uint8_t& global_bytes::at(std::uint64_t address) {
  auto region = regions_.upper_bound(address);
  if (region == regions_.begin()) throw not_executed("an access outside of global memory");
  --region;
  if (address - region->first >= region->second.size()) throw not_executed("an access outside of global memory");
  return region->second[address - region->first];
}

bool execute_memory(const tc::trace::step& step, global_bytes& global, std::vector<std::uint8_t>& shared, warp_state& warp) {
  const isa::memory_use use = isa::info(step.code->op).memory;
  const auto in_shared = [&shared](std::uint64_t address) -> std::uint8_t& {
    if (address >= shared.size()) throw not_executed("an access outside of shared memory");
    return shared[address];
  };
  const auto in_global = [&global](std::uint64_t address) -> std::uint8_t& { return global.at(address); };
  const byte_reference byte = use.space == memory_space::shared ? byte_reference(in_shared) : byte_reference(in_global);
  if (use.space != memory_space::shared && use.space != memory_space::global && use.space != memory_space::generic) {
    if (use.action == memory_action::transpose_matrix) {
      transpose(*step.code, warp);
      return true;
    }
    return use.action == memory_action::order;
  }
  if (step.mask == 0) return true;
  switch (use.action) {
    case memory_action::load:
      load(step, byte, warp);
      return true;
    case memory_action::store:
      store(step, byte, warp);
      return true;
    case memory_action::load_matrix:
      load_matrices(step, byte, warp);
      return true;
    case memory_action::store_matrix:
      store_matrices(step, byte, warp);
      return true;
    default:
      return false;
  }
}

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
