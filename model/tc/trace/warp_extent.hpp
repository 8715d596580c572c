// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tc/trace/register_preset.hpp>
#include <tc/trace/varint.hpp>

namespace tc::trace {

/// What stands before a warp's packed steps in the spool file, followed by its register presets.
struct extent_head {
  static constexpr std::size_t max_bytes = 3 * max_varint_bytes;

  unsigned warp = 0;       ///< number within the CTA
  std::uint64_t line = 0;  ///< the trace's line that the first step is relative to
  std::size_t presets = 0;

  std::uint8_t* encode(std::uint8_t* out) const;
  void decode(const std::uint8_t*& in);
};

/// No packed preset is longer: file, register, and a value for each lane.
inline constexpr std::size_t max_preset_bytes = (2 + warp_lanes) * max_varint_bytes;

std::uint8_t* encode_preset(const register_preset& preset, std::uint8_t* out);
register_preset decode_preset(const std::uint8_t*& in);

}  // namespace tc::trace
