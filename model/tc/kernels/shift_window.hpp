// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/isa/tcgen05/tensor_address.hpp>
#include <tc/kernels/pixel_sequence.hpp>

namespace tc::kernels {

/// The pixels that the lanes of tensor memory hold in the shift method, while the window moves along a row of the filter. Lane i has the
/// output pixel at position first + i. At step s, tap s of the row, it holds the pixel at position first + i - padding + s, whatever the
/// borders of the image are; where that is in another row of the image, the lane is disabled. To step on, each chunk of 32 lanes moves by
/// one towards its first lane (tcgen05.shift), and its last lane is refilled (tcgen05.cp.4x256b).
///
/// The scheme is that of P. Luo's notes on the Blackwell tensor core, for the 128 lanes and four chunks that the hardware has.
class shift_window {
 public:
  using disabled_words = std::array<std::uint32_t, isa::tensor_lanes / 32>;
  using refill_positions = std::array<std::int64_t, isa::tensor_chunks>;

  /// Lane 0 has the output at position `first`. The sequence must outlive the window.
  shift_window(const pixel_sequence& sequence, std::uint64_t first) : sequence_(sequence), first_(first) {}

  /// Position of the pixel that a lane holds.
  std::int64_t position(unsigned lane, unsigned step) const { return static_cast<std::int64_t>(first_) + lane + step - sequence_.padding; }
  /// Whether the pixel is that of the lane's tap: in the image's row, and not in the one before or behind it.
  bool has_tap(unsigned lane, unsigned step) const;
  /// disable-output-lane of a step: lanes without their tap, lane 0 the lowest bit of the first word.
  disabled_words disabled_lanes(unsigned step) const;
  /// Positions of the pixels that come to lanes 31, 63, 95 and 127 before a step from 1 on.
  refill_positions refills(unsigned step) const;

 private:
  const pixel_sequence& sequence_;
  std::uint64_t first_;
};

}  // namespace tc::kernels
