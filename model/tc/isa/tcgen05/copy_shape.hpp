// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/element_type.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>

namespace tc::isa {

/// The lowest bit of an element of 6 bits in a byte of tensor memory: CUTLASS has bits 6 to 1. In registers of mma.sync they are bits 5 to
/// 0.
inline constexpr unsigned default_fp6_position = 1;

/// The lowest bit of an element that has a byte of tensor memory to itself (CUTLASS; e2m1 also PTX ISA): 2 of e2m1, `fp6_position` of
/// elements of 6 bits, 0 of those that fill their byte.
constexpr unsigned bit_in_byte(element_type type, unsigned fp6_position = default_fp6_position) {
  if (type == element_type::e2m1) return 2;
  return type == element_type::e3m2 || type == element_type::e2m3 ? fp6_position : 0;
}

/// Rows and bits of a row that tcgen05.cp copies from shared memory to tensor memory (PTX ISA).
enum class tensor_copy_shape : std::uint8_t { rows128_bits256, rows128_bits128, rows4_bits256, rows64_bits128, rows32_bits128 };

/// Chunks of 32 lanes that get the same rows.
enum class tensor_copy_multicast : std::uint8_t {
  none,
  warps_02_13,  ///< .warpx2::02_13: chunks 0 and 2 the first 32 rows, 1 and 3 the others
  warps_01_23,  ///< .warpx2::01_23: chunks 0 and 1 the first 32 rows, 2 and 3 the others
  warps_4,      ///< .warpx4: every chunk all 32 rows
};

/// How 16 bytes of shared memory, elements and then padding, become 16 bytes with an element each.
enum class tensor_copy_decompression : std::uint8_t {
  none,
  b4x16_p64,  ///< 16 elements of 4 bits, 64 bits of padding
  b6x16_p32,  ///< 16 elements of 6 bits, 32 bits of padding
};

/// As PTX spells them: "128x256b", "warpx2::02_13", "b4x16_p64"; empty for none.
std::string_view name(tensor_copy_shape shape);
std::string_view name(tensor_copy_multicast multicast);
std::string_view name(tensor_copy_decompression decompression);

/// What PTX spells so, nothing if there is none.
std::optional<tensor_copy_shape> find_tensor_copy_shape(std::string_view text);
std::optional<tensor_copy_multicast> find_tensor_copy_multicast(std::string_view text);
std::optional<tensor_copy_decompression> find_tensor_copy_decompression(std::string_view text);

/// The format of the destination of every decompression.
inline constexpr std::string_view decompressed_format = "b8x16";

unsigned rows(tensor_copy_shape shape);     ///< of the source
unsigned columns(tensor_copy_shape shape);  ///< of tensor memory, 4 or 8; a row has 4 bytes for each

/// Why a shape cannot be copied so, empty if it can: 64x128b needs one of the .warpx2, 32x128b needs .warpx4, the others take none.
std::string tensor_copy_mistake(tensor_copy_shape shape, tensor_copy_multicast multicast);

/// Why a shape cannot be copied to an address, empty if it can: a lane above 31 of 4x256b, whose row r goes to that lane of chunk r, a lane
/// but 0 of the others, which fill every lane, or columns beyond the end of tensor memory.
std::string copy_destination_mistake(tensor_copy_shape shape, tensor_address address);

/// Lanes that get row `row` of the source, lowest first. `first_lane` is that of the destination. Throws std::invalid_argument if there is
/// no such copy, row or lane.
std::vector<unsigned> destination_lanes(tensor_copy_shape shape, tensor_copy_multicast multicast, unsigned row, unsigned first_lane);

/// Cells that a copy to an address writes. Throws std::invalid_argument if there is no such copy, or not to that address.
tensor_cells destination_cells(tensor_copy_shape shape, tensor_copy_multicast multicast, tensor_address address);

using copy_unit = std::array<std::uint8_t, 16>;

/// Sixteen bytes of shared memory as they come to tensor memory. bit_in_byte() says where elements lie in their bytes.
copy_unit decompress(const copy_unit& source, tensor_copy_decompression decompression, unsigned fp6_position = default_fp6_position);

}  // namespace tc::isa
