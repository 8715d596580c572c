// SPDX-License-Identifier: Apache-2.0
#include "copy_shape.hpp"

#include <cstddef>
#include <stdexcept>

#include <boost/container/static_vector.hpp>
#include <fmt/format.h>

namespace tc::isa {
namespace {

struct copy_shape_row {
  std::string_view name;
  unsigned rows, columns;
};

// PTX ISA, tcgen05.cp.
constexpr std::array<copy_shape_row, 5> copy_shape_rows{{
    {"128x256b", 128, 8},
    {"128x128b", 128, 4},
    {"4x256b", 4, 8},
    {"64x128b", 64, 4},
    {"32x128b", 32, 4},
}};
constexpr std::array<std::string_view, 4> multicast_names{"", "warpx2::02_13", "warpx2::01_23", "warpx4"};
constexpr std::array<std::string_view, 3> decompression_names{"", "b4x16_p64", "b6x16_p32"};

const copy_shape_row& copy_row_of(tensor_copy_shape shape) { return copy_shape_rows.at(static_cast<std::size_t>(shape)); }

/// The enumerator of a name; an empty name is none.
template <class Enumeration, std::size_t Count>
std::optional<Enumeration> find(const std::array<std::string_view, Count>& names, std::string_view text) {
  for (std::size_t index = 1; index < Count; ++index) {
    if (names[index] == text) return static_cast<Enumeration>(index);
  }
  return std::nullopt;
}

using lane_list = boost::container::static_vector<unsigned, tensor_chunks>;

/// Lanes that get a row, which the shape has.
lane_list lanes_of(tensor_copy_shape shape, tensor_copy_multicast multicast, unsigned row, unsigned first_lane) {
  if (shape == tensor_copy_shape::rows4_bits256) return {first_lane + chunk_lanes * row};
  const unsigned chunk = row / chunk_lanes, lane = row % chunk_lanes;
  switch (multicast) {
    case tensor_copy_multicast::warps_02_13:
      return {row, row + 2 * chunk_lanes};
    case tensor_copy_multicast::warps_01_23:
      return {2 * chunk * chunk_lanes + lane, (2 * chunk + 1) * chunk_lanes + lane};
    case tensor_copy_multicast::warps_4:
      return {lane, lane + chunk_lanes, lane + 2 * chunk_lanes, lane + 3 * chunk_lanes};
    case tensor_copy_multicast::none:
      break;
  }
  return {row};
}

}  // namespace

std::string_view name(tensor_copy_shape shape) { return copy_row_of(shape).name; }
std::string_view name(tensor_copy_multicast multicast) { return multicast_names.at(static_cast<std::size_t>(multicast)); }
std::string_view name(tensor_copy_decompression decompression) { return decompression_names.at(static_cast<std::size_t>(decompression)); }

std::optional<tensor_copy_shape> find_tensor_copy_shape(std::string_view text) {
  for (std::size_t index = 0; index < copy_shape_rows.size(); ++index) {
    if (copy_shape_rows[index].name == text) return static_cast<tensor_copy_shape>(index);
  }
  return std::nullopt;
}

std::optional<tensor_copy_multicast> find_tensor_copy_multicast(std::string_view text) {
  return find<tensor_copy_multicast>(multicast_names, text);
}

std::optional<tensor_copy_decompression> find_tensor_copy_decompression(std::string_view text) {
  return find<tensor_copy_decompression>(decompression_names, text);
}

unsigned rows(tensor_copy_shape shape) { return copy_row_of(shape).rows; }
unsigned columns(tensor_copy_shape shape) { return copy_row_of(shape).columns; }

std::string tensor_copy_mistake(tensor_copy_shape shape, tensor_copy_multicast multicast) {
  const bool pairs = multicast == tensor_copy_multicast::warps_02_13 || multicast == tensor_copy_multicast::warps_01_23;
  if (shape == tensor_copy_shape::rows64_bits128) {
    return pairs ? "" : ".64x128b needs .warpx2::02_13 or .warpx2::01_23";
  }
  if (shape == tensor_copy_shape::rows32_bits128) {
    return multicast == tensor_copy_multicast::warps_4 ? "" : ".32x128b needs .warpx4";
  }
  if (multicast == tensor_copy_multicast::none) return {};
  return fmt::format(".{} takes no .{}", name(shape), name(multicast));
}

std::string copy_destination_mistake(tensor_copy_shape shape, tensor_address address) {
  const bool single_lanes = shape == tensor_copy_shape::rows4_bits256;
  if (address.lane >= (single_lanes ? chunk_lanes : 1)) {
    return fmt::format("the destination lane of .{} must be {}, not {}", name(shape), single_lanes ? "0 to 31" : "0", address.lane);
  }
  const column_range written{address.column, columns(shape)};
  return fits(written) ? std::string() : column_range_mistake(written, fmt::format(".{}", name(shape)));
}

std::vector<unsigned> destination_lanes(tensor_copy_shape shape, tensor_copy_multicast multicast, unsigned row, unsigned first_lane) {
  if (const std::string mistake = tensor_copy_mistake(shape, multicast); !mistake.empty()) throw std::invalid_argument(mistake);
  if (const std::string mistake = copy_destination_mistake(shape, {first_lane, 0}); !mistake.empty()) throw std::invalid_argument(mistake);
  if (row >= rows(shape)) throw std::invalid_argument(fmt::format(".{} has no row {}", name(shape), row));
  const lane_list lanes = lanes_of(shape, multicast, row, first_lane);
  return {lanes.begin(), lanes.end()};
}

tensor_cells destination_cells(tensor_copy_shape shape, tensor_copy_multicast multicast, tensor_address address) {
  if (const std::string mistake = tensor_copy_mistake(shape, multicast); !mistake.empty()) throw std::invalid_argument(mistake);
  if (const std::string mistake = copy_destination_mistake(shape, address); !mistake.empty()) throw std::invalid_argument(mistake);
  tensor_cells cells;
  cells.columns = {address.column, columns(shape)};
  for (unsigned row = 0; row < rows(shape); ++row)
    for (const unsigned lane : lanes_of(shape, multicast, row, address.lane)) cells.add(lane);
  return cells;
}

copy_unit decompress(const copy_unit& source, tensor_copy_decompression decompression, unsigned fp6_position) {
  if (decompression == tensor_copy_decompression::none) return source;
  const bool nibbles = decompression == tensor_copy_decompression::b4x16_p64;
  const unsigned width = nibbles ? 4 : 6, position = nibbles ? bit_in_byte(element_type::e2m1) : fp6_position;
  copy_unit result{};
  for (unsigned element = 0; element < result.size(); ++element) {
    const unsigned bit = element * width, byte = bit / 8;
    const unsigned pair = source.at(byte) | unsigned{source.at(byte + 1)} << 8;  // no element crosses two bytes' ends
    result.at(element) = static_cast<std::uint8_t>((pair >> bit % 8 & ((1U << width) - 1)) << position);
  }
  return result;
}

}  // namespace tc::isa
