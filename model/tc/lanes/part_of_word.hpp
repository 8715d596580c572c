// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <tc/isa/modifiers.hpp>
#include <tc/warp/kernel_constants.hpp>

namespace tc::lanes {

/// What a load of 8 or 16 bits takes of the word that the byte at an address lies in, with its sign if the load says so (.S8, .S16). A load
/// of a whole word takes all of it.
inline std::uint32_t part_of_word(std::uint32_t word, std::uint32_t address, const isa::modifiers& mods) {
  if (mods.access_bits >= 32) return word;
  const std::uint32_t part = word >> 8 * (address & 3U) & ((1U << mods.access_bits) - 1), sign = 1U << (mods.access_bits - 1U);
  return mods.access_signed ? (part ^ sign) - sign : part;
}

/// What such a load takes of a constant bank; nothing if the bank does not have all of its bytes.
inline std::optional<std::uint32_t> constant_part(const warp::constant_memory& constants, unsigned bank, std::uint32_t address,
                                                  const isa::modifiers& mods) {
  if (mods.access_bits >= 32) return constants.word(bank, address);
  const auto part = constants.number(bank, address, mods.access_bits / 8);
  if (!part) return std::nullopt;
  return part_of_word(*part, 0, mods);
}

}  // namespace tc::lanes
