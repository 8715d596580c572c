// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <tc/numerics/number_format.hpp>

namespace tc::isa {

/// Element types that instructions name; the last two are those of block scales.
enum class element_type : std::uint8_t {
  none,
  f64,
  f32,
  tf32,
  f16,
  bf16,
  e4m3,
  e5m2,
  s32,
  s8,
  u8,
  s4,
  u4,
  b1,
  e3m2,
  e2m3,
  e2m1,
  ue8m0,
  ue4m3
};

/// Bits of an element where elements follow each other without gaps (f64: in a register pair). Those of 6 bits take a byte. 0 for none.
constexpr unsigned bits(element_type type) {
  switch (type) {
    case element_type::f64:
      return 64;
    case element_type::f32:
    case element_type::tf32:
    case element_type::s32:
      return 32;
    case element_type::f16:
    case element_type::bf16:
      return 16;
    case element_type::e4m3:
    case element_type::e5m2:
    case element_type::s8:
    case element_type::u8:
    case element_type::e3m2:
    case element_type::e2m3:
    case element_type::ue8m0:
    case element_type::ue4m3:
      return 8;
    case element_type::s4:
    case element_type::u4:
    case element_type::e2m1:
      return 4;
    case element_type::b1:
      return 1;
    case element_type::none:
      break;
  }
  return 0;
}

/// As PTX spells it; empty for none.
std::string_view name(element_type type);

/// The element type that PTX spells so, nothing if there is none.
std::optional<element_type> find_element_type(std::string_view text);

/// The description of an element type that the arithmetic uses. Throws std::invalid_argument for none.
const numerics::number_format& format_of(element_type type);

}  // namespace tc::isa
