// SPDX-License-Identifier: Apache-2.0
#include "tensor_access.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>

#include <fmt/format.h>

namespace tc::isa {
namespace {

/// What a shape moves when it is not repeated.
struct access_shape_row {
  std::string_view name;
  unsigned lanes, columns;  ///< columns that each repetition adds
  unsigned registers;       ///< of a thread, that each repetition adds
  unsigned max_repeat;
};

// PTX ISA, tcgen05.ld: the shapes, their repetitions and their registers.
constexpr std::array<access_shape_row, 5> access_shape_rows{{
    {"32x32b", 32, 1, 1, 128},
    {"16x64b", 16, 2, 1, 128},
    {"16x128b", 16, 4, 2, 64},
    {"16x256b", 16, 8, 4, 32},
    {"16x32bx2", 16, 1, 1, 128},
}};

const access_shape_row& access_row_of(tensor_access_shape shape) { return access_shape_rows.at(static_cast<std::size_t>(shape)); }

std::string repeat_mistake(tensor_access_shape shape, unsigned repeat) {
  const access_shape_row& row = access_row_of(shape);
  const bool is_power_of_two = repeat != 0 && (repeat & (repeat - 1)) == 0;
  if (is_power_of_two && repeat <= row.max_repeat) return {};
  return fmt::format("the repetition of .{} must be a power of two, x1 to x{}, not x{}", row.name, row.max_repeat, repeat);
}

/// Lane and column of a register behind those of the access; columns count pairs of cells if the access is packed.
tensor_address place_of(tensor_access_shape shape, unsigned thread, unsigned reg) {
  const unsigned quad = thread / 4, member = thread % 4;
  switch (shape) {
    case tensor_access_shape::lanes32_bits32:
      return {thread, reg};
    case tensor_access_shape::lanes16_bits64:
      return {quad + 8 * (member % 2), member / 2 + 2 * reg};
    case tensor_access_shape::lanes16_bits128:
      return {quad + 8 * (reg % 2), member + 4 * (reg / 2)};
    case tensor_access_shape::lanes16_bits256:
      return {quad + 8 * (reg / 2 % 2), 2 * member + reg % 2 + 8 * (reg / 4)};
    case tensor_access_shape::lanes16_bits32x2:
      break;
  }
  return {thread % 16, reg};
}

std::string lane_mistake(const tensor_access& access, unsigned warp) {
  const unsigned first = warp % tensor_chunks * chunk_lanes, lane = access.address.lane;
  const unsigned end = first + chunk_lanes, step = lanes(access.shape);
  if (lane >= first && lane < end && lane % step == 0) return {};
  const std::string upper = step == chunk_lanes ? "" : fmt::format(" or {}", first + step);
  return fmt::format("the lane of .{} by warp {} must be {}{}, not {}", name(access.shape), warp, first, upper, lane);
}

}  // namespace

std::string_view name(tensor_access_shape shape) { return access_row_of(shape).name; }

std::optional<tensor_access_shape> find_tensor_access_shape(std::string_view text) {
  for (std::size_t index = 0; index < access_shape_rows.size(); ++index) {
    if (access_shape_rows[index].name == text) return static_cast<tensor_access_shape>(index);
  }
  return std::nullopt;
}

unsigned lanes(tensor_access_shape shape) { return access_row_of(shape).lanes; }

unsigned max_repeat(tensor_access_shape shape) { return access_row_of(shape).max_repeat; }

unsigned registers_per_thread(tensor_access_shape shape, unsigned repeat) {
  if (const std::string mistake = repeat_mistake(shape, repeat); !mistake.empty()) throw std::invalid_argument(mistake);
  return access_row_of(shape).registers * repeat;
}

register_cells cells_of(const tensor_access& access, unsigned thread, unsigned reg) {
  const bool second_half = access.shape == tensor_access_shape::lanes16_bits32x2 && thread >= 16;
  const tensor_address origin = access.address + tensor_address{0, second_half ? access.half_offset : 0};
  const tensor_address place = place_of(access.shape, thread, reg);
  if (!access.packed) return {origin + place, std::nullopt};
  const tensor_address low = origin + tensor_address{place.lane, 2 * place.column};
  return {low, low + tensor_address{0, 1}};
}

std::vector<column_range> columns(const tensor_access& access) {
  const unsigned count = access_row_of(access.shape).columns * access.repeat * (access.packed ? 2 : 1), first = access.address.column;
  if (access.shape != tensor_access_shape::lanes16_bits32x2) return {{first, count}};
  return {{first, count}, {first + access.half_offset, count}};
}

std::string tensor_access_mistake(const tensor_access& access, unsigned warp) {
  if (std::string mistake = repeat_mistake(access.shape, access.repeat); !mistake.empty()) return mistake;
  if (std::string mistake = lane_mistake(access, warp); !mistake.empty()) return mistake;
  if (access.half_offset != 0 && access.shape != tensor_access_shape::lanes16_bits32x2) {
    return fmt::format("only .16x32bx2 has columns of its own for half a warp, not .{}", name(access.shape));
  }
  const std::string what = fmt::format(".{}.x{}{}", name(access.shape), access.repeat, access.packed ? " in pairs" : "");
  for (const column_range& range : columns(access)) {
    if (std::string mistake = column_range_mistake(range, what); !mistake.empty()) return mistake;
  }
  return {};
}

}  // namespace tc::isa
