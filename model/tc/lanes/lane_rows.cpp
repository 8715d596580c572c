// SPDX-License-Identifier: Apache-2.0
#include "lane_rows.hpp"

namespace tc::lanes {

namespace {

bool has_whole_sources(const isa::instruction& code) {
  for (unsigned s = 0; s < code.source_count; ++s)
    if (code.sources[s].part != isa::register_part::whole) return false;
  return true;
}

bool is_computed_format(isa::element_type type) {
  using isa::element_type;
  return type == element_type::none || type == element_type::f64 || type == element_type::f32 || type == element_type::f16 ||
         type == element_type::bf16;
}

bool is_zero(const isa::operand& source) { return source.is_register(isa::register_file::vector) && source.index == isa::zero_register; }

bool has_computed_formats(const isa::modifiers& mods) {
  return is_computed_format(mods.first_format) && is_computed_format(mods.second_format);
}

}  // namespace

bool any_form(const isa::instruction&) { return true; }

bool word_form(const isa::instruction& code) {
  const bool is_word = code.mods.type == isa::integer_type::s32 || code.mods.type == isa::integer_type::u32;
  return is_word && has_whole_sources(code);
}

bool shift_form(const isa::instruction& code) { return word_form(code) || (isa::is_64_bit(code.mods.type) && has_whole_sources(code)); }

bool pair_form(const isa::instruction& code) {
  return word_form(code) && (!code.mods.wide || (code.destination_count == 1 && !code.mods.carry_in));
}

bool uniform_move_form(const isa::instruction& code) { return word_form(code) && code.destination_count == 1; }

bool conversion_form(const isa::instruction& code) {
  return code.mods.packing == isa::conversion_packing::none && has_computed_formats(code.mods);
}

bool integer_conversion_form(const isa::instruction& code) { return conversion_form(code) && !code.mods.saturate; }

bool pack_form(const isa::instruction& code) {
  using isa::conversion_packing;
  using isa::element_type;
  const isa::modifiers& mods = code.mods;
  const auto is_byte = [](element_type type) { return type == element_type::e4m3 || type == element_type::e5m2; };
  switch (mods.packing) {
    case conversion_packing::pack_ab:
      return code.source_count == 2 && has_computed_formats(mods);
    case conversion_packing::pack_ab_merge_c:
      return code.source_count == 3 && is_byte(mods.first_format) && mods.second_format == element_type::f32;
    case conversion_packing::unpack_b_merge_c:
      return code.source_count == 2 && is_byte(mods.first_format) && mods.second_format == element_type::f16;
    case conversion_packing::unpack_b:
      return code.source_count == 1 && mods.first_format == element_type::f16 && is_byte(mods.second_format);
    case conversion_packing::merge_c:  // of a third operand that is not zero, nothing is known
      return code.source_count == 2 && has_computed_formats(mods) && is_zero(code.sources[1]);
    case conversion_packing::pack_b:
      return code.source_count == 1 && mods.first_format == element_type::tf32 && mods.second_format == element_type::f32;
    default:
      return false;
  }
}

}  // namespace tc::lanes
