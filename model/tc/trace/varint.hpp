// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tc::trace {

// Numbers in as few bytes as they need: seven bits a byte, low bits first, the top bit set in all but the last.

inline constexpr std::size_t max_varint_bytes = 10;

/// Writes a number; returns the place behind it.
inline std::uint8_t* put_varint(std::uint8_t* out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) *out++ = static_cast<std::uint8_t>(value | 0x80);
  *out++ = static_cast<std::uint8_t>(value);
  return out;
}

/// Reads a number, of at most max_varint_bytes bytes whatever stands there, and moves `in` behind it.
inline std::uint64_t get_varint(const std::uint8_t*& in) {
  std::uint64_t value = *in & 0x7fU;
  for (unsigned shift = 7; (*in++ & 0x80U) != 0 && shift < 7 * max_varint_bytes; shift += 7) value |= (*in & std::uint64_t{0x7f}) << shift;
  return value;
}

/// Differences, small in either direction: 0, -1, 1, -2, ... become 0, 1, 2, 3, ... Both wrap modulo 2^64.
constexpr std::uint64_t zigzag(std::uint64_t difference) { return (difference << 1) ^ (~(difference >> 63) + 1); }
constexpr std::uint64_t unzigzag(std::uint64_t value) { return (value >> 1) ^ (~(value & 1) + 1); }

}  // namespace tc::trace
