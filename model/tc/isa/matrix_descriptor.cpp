// SPDX-License-Identifier: Apache-2.0
#include "matrix_descriptor.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>

#include <fmt/format.h>

namespace tc::isa {
namespace {

/// Address bits from `line_bit` up, as many as `bits`, change those from `unit_bit` up.
struct swizzle_row {
  std::string_view name;
  unsigned row_bytes, bits, unit_bit;
};

constexpr unsigned line_bit = 7;

constexpr std::array<swizzle_row, 5> swizzle_rows{{
    {"none", 16, 0, 4},
    {"32B", 32, 1, 4},
    {"64B", 64, 2, 4},
    {"128B", 128, 3, 4},
    {"128B_ATOM_32B", 128, 2, 5},
}};

const swizzle_row& row_of(swizzle_mode mode) { return swizzle_rows.at(static_cast<std::size_t>(mode)); }

}  // namespace

std::string_view name(swizzle_mode mode) { return row_of(mode).name; }

unsigned row_bytes(swizzle_mode mode) { return row_of(mode).row_bytes; }

std::uint32_t swizzle_address(std::uint32_t address, swizzle_mode mode, unsigned base_offset) {
  const swizzle_row& row = row_of(mode);
  const std::uint32_t line = ((address >> line_bit) - base_offset) & ((1U << row.bits) - 1U);
  return address ^ line << row.unit_bit;
}

namespace {

// PTX ISA, "Matrix Descriptor Format" of wgmma and of tcgen05. wgmma's swizzle has two bits, the upper ones of tcgen05's three, whose
// codes are the same then.
constexpr bit_field start_field{0, 14}, leading_field{16, 14}, stride_field{32, 14}, version_field{46, 3}, base_offset_field{49, 3},
    swizzle_field{61, 3};
constexpr std::array<bit_field, 3> reserved_fields{{{14, 2}, {30, 2}, {52, 9}}};
constexpr std::uint64_t version = 1;

constexpr unsigned address_unit_bits = 4, address_bits = 18;

/// Swizzle codes in the order of swizzle_mode.
constexpr std::array<unsigned, 5> swizzle_codes{0, 6, 4, 2, 1};

/// Whether descriptors are those of tcgen05.
bool has_version(architecture arch) { return info(arch).tensor_memory; }

/// The mode of a code, `end` if there is none.
std::size_t find_swizzle(std::uint64_t code, architecture arch) {
  const std::size_t end = swizzle_codes.size();
  for (std::size_t mode = 0; mode < end; ++mode) {
    const bool exists = has_version(arch) || static_cast<swizzle_mode>(mode) != swizzle_mode::bytes_128_atom_32;
    if (swizzle_codes[mode] == code && exists) return mode;
  }
  return end;
}

std::uint32_t bytes_of(std::uint64_t bits, bit_field field) { return static_cast<std::uint32_t>(field.take(bits) << address_unit_bits); }

std::uint64_t place(std::uint32_t bytes, bit_field field) {
  if ((bytes & ((1U << address_unit_bits) - 1)) != 0 || bytes >> address_bits != 0) {
    throw std::invalid_argument(fmt::format("a descriptor holds multiples of 16 below {:#x}, not {:#x}", 1U << address_bits, bytes));
  }
  return std::uint64_t{bytes >> address_unit_bits} << field.first;
}

}  // namespace

std::string descriptor_mistake(std::uint64_t bits, architecture arch) {
  for (const bit_field& field : reserved_fields) {
    if ((bits & field.mask()) != 0) {
      return fmt::format("bits {} to {} of the matrix descriptor {:#x} must be 0", field.first, field.last(), bits);
    }
  }
  const std::uint64_t found = version_field.take(bits), swizzle = swizzle_field.take(bits);
  if (found != version && (has_version(arch) || found != 0)) {
    return fmt::format("bits 46 to 48 of the matrix descriptor {:#x} must be {}0b001, not {:#05b}", bits, has_version(arch) ? "" : "0 or ",
                       found);
  }
  if (find_swizzle(swizzle, arch) == swizzle_codes.size()) {
    return fmt::format("the swizzle of the matrix descriptor {:#x} (bits 61 to 63) must be {}0, 2, 4 or 6 on {}, not {}", bits,
                       has_version(arch) ? "1, " : "", name(arch), swizzle);
  }
  if (swizzle == 0 && base_offset_field.take(bits) != 0) {
    return fmt::format("the base offset of the matrix descriptor {:#x} (bits 49 to 51) must be 0, as nothing is swizzled", bits);
  }
  return {};
}

matrix_descriptor decode_matrix_descriptor(std::uint64_t bits, architecture arch) {
  if (const std::string mistake = descriptor_mistake(bits, arch); !mistake.empty()) throw std::invalid_argument(mistake);
  matrix_descriptor descriptor;
  descriptor.start = bytes_of(bits, start_field);
  descriptor.leading_bytes = bytes_of(bits, leading_field);
  descriptor.stride_bytes = bytes_of(bits, stride_field);
  descriptor.base_offset = static_cast<std::uint8_t>(base_offset_field.take(bits));
  descriptor.swizzle = static_cast<swizzle_mode>(find_swizzle(swizzle_field.take(bits), arch));
  return descriptor;
}

std::uint64_t encode(const matrix_descriptor& descriptor, architecture arch) {
  if (descriptor.base_offset >> base_offset_field.width != 0) {
    throw std::invalid_argument(fmt::format("a base offset is 0 to 7, not {}", descriptor.base_offset));
  }
  const std::uint64_t swizzle = swizzle_codes.at(static_cast<std::size_t>(descriptor.swizzle));
  const std::uint64_t bits = place(descriptor.start, start_field) | place(descriptor.leading_bytes, leading_field) |
                             place(descriptor.stride_bytes, stride_field) | swizzle << swizzle_field.first |
                             std::uint64_t{descriptor.base_offset} << base_offset_field.first |
                             (has_version(arch) ? version << version_field.first : 0);
  if (const std::string mistake = descriptor_mistake(bits, arch); !mistake.empty()) throw std::invalid_argument(mistake);
  return bits;
}

}  // namespace tc::isa
