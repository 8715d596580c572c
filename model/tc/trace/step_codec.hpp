// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <tc/trace/step.hpp>
#include <tc/trace/varint.hpp>

namespace tc::trace {

/// Packs the steps of one warp into bytes and back. A step is stored as its difference to what usually follows the one before: the next
/// code, the pc 16 bytes on, the same mask, the next line; two bytes are typical. Encoder and decoder each start from a fresh codec.
class step_codec {
 public:
  /// No packed step is longer: head, pc, mask, line, and an address for each lane.
  static constexpr std::size_t max_step_bytes = (4 + warp_lanes) * max_varint_bytes;

  /// The decoder's and encoder's first step is compared with one on `line`.
  explicit step_codec(std::uint64_t line) : line_(line) {}

  /// Packs everything of a step but `code`; `out` has room for max_step_bytes. Returns the place behind it.
  std::uint8_t* encode(const step& s, std::uint8_t* out);
  /// Unpacks a step into `s`, but for `code`, and moves `in` behind it.
  void decode(const std::uint8_t*& in, step& s);

 private:
  void follow(const step& s);

  std::uint32_t next_code_ = 0, next_pc_ = 0;
  lane_mask mask_ = all_lanes;
  std::uint64_t line_;
  std::uint64_t address_ = 0;  ///< of the first lane of the last step that had any
};

}  // namespace tc::trace
