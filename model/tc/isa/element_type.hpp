#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <tc/numerics/number_format.hpp>

namespace tc::isa {

/// Element types that instructions name.
enum class element_type : std::uint8_t { none, f64, f32, tf32, f16, bf16, e4m3, e5m2, s32, s8, u8, s4, u4, b1 };

/// Bits of an element in a register (f64: in a register pair). 0 for none.
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
      return 8;
    case element_type::s4:
    case element_type::u4:
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
