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

bool leading_one_form(const isa::instruction& code) { return word_form(code) && !code.mods.shift_amount; }

bool uniform_move_form(const isa::instruction& code) { return word_form(code) && code.destination_count == 1; }

bool conversion_form(const isa::instruction& code) {
  return code.mods.packing == isa::conversion_packing::none && has_computed_formats(code.mods);
}

bool integer_conversion_form(const isa::instruction& code) { return conversion_form(code) && !code.mods.saturate; }

bool pack_form(const isa::instruction& code) {
  return code.mods.packing == isa::conversion_packing::pack_ab && code.source_count == 2 && has_computed_formats(code.mods);
}

}  // namespace tc::lanes
