// SPDX-License-Identifier: Apache-2.0
#include "shift_window.hpp"

namespace tc::kernels {

bool shift_window::has_tap(unsigned lane, unsigned step) const {
  const std::uint64_t tap = (first_ + lane) % sequence_.pitch + step;  // from the position of the row that is `padding` in front of it
  return tap >= sequence_.padding && tap - sequence_.padding < sequence_.columns;
}

shift_window::disabled_words shift_window::disabled_lanes(unsigned step) const {
  disabled_words words{};
  for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane)
    if (!has_tap(lane, step)) words.at(lane / 32) |= 1U << lane % 32;
  return words;
}

shift_window::refill_positions shift_window::refills(unsigned step) const {
  refill_positions positions{};
  for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) positions.at(chunk) = position((chunk + 1) * isa::chunk_lanes - 1, step);
  return positions;
}

}  // namespace tc::kernels
