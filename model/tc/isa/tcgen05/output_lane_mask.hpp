// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/isa/tcgen05/tensor_address.hpp>

namespace tc::isa {

/// disable-output-lane of tcgen05.mma: lanes of D that keep their old values, a bit for each, lane 0 the lowest bit of the first word; of
/// a pair of CTAs the last four words are those of CTA 1 (PTX ISA).
struct output_lane_mask {
  static constexpr unsigned words_of_cta = tensor_lanes / 32;

  std::array<std::uint32_t, 2 * words_of_cta> words{};

  constexpr bool disables(unsigned cta, unsigned lane) const { return (words.at(cta * words_of_cta + lane / 32) >> lane % 32 & 1) != 0; }
};

}  // namespace tc::isa
