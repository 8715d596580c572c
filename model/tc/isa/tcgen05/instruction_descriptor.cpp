// SPDX-License-Identifier: Apache-2.0
#include "instruction_descriptor.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/isa/matrix_descriptor.hpp>

namespace tc::isa {
namespace {

/// A field with the name that messages call it by.
struct named_field : bit_field {
  std::string_view name;

  constexpr named_field(std::string_view text, unsigned lowest, unsigned bits) : bit_field{lowest, bits}, name(text) {}
};

// PTX ISA, "Instruction descriptor": the tables of kinds without and with block scaling. Both have M in bits 24 to 28, in units of 16,
// where block-scaled kinds have only multiples of 128 and call the lower bits reserved.
constexpr named_field selector_field{"sparsity selector", 0, 2}, sparse_field{"sparsity", 2, 1}, saturate_field{"saturation", 3, 1},
    d_type_field{"type of D", 4, 2}, a_type_field{"type of A", 7, 3}, b_type_field{"type of B", 10, 3},
    negate_a_field{"negation of A", 13, 1}, negate_b_field{"negation of B", 14, 1}, transpose_a_field{"transposition of A", 15, 1},
    transpose_b_field{"transposition of B", 16, 1}, n_field{"N", 17, 6}, scale_type_field{"type of the scales", 23, 1}, m_field{"M", 24, 5},
    scale_b_field{"scale factor ID of B", 4, 2}, scale_a_field{"scale factor ID of A", 29, 2}, shift_field{"maximum shift", 30, 2},
    k_field{"K", 31, 1};
constexpr unsigned n_unit = 8, m_unit = 16;

const std::vector<bit_field>& reserved_fields_of(mma_kind kind) {
  static const std::vector<bit_field> plain{{6, 1}, {23, 1}, {29, 1}}, bytes{{0, 2}, {3, 1}, {6, 1}, {24, 3}, {31, 1}},
      nibbles{{0, 2}, {3, 1}, {6, 1}, {12, 1}, {15, 2}, {24, 3}};
  if (!is_block_scaled(kind)) return plain;
  return kind == mma_kind::mxf8f6f4 ? bytes : nibbles;
}

/// Element types by their codes; none where a code has no type.
using type_codes = std::array<element_type, 8>;

using type = element_type;
constexpr type_codes half_codes{type::f16, type::bf16}, tf32_codes{type::none, type::none, type::tf32},
    byte_codes{type::e4m3, type::e5m2, type::none, type::e2m3, type::e3m2, type::e2m1}, integer_codes{type::u8, type::s8},
    nibble_codes{type::none, type::e2m1};
constexpr type_codes float_sums{type::f16, type::f32}, single_sums{type::none, type::f32}, integer_sums{type::none, type::none, type::s32};
constexpr std::array<type, 2> scale_types{type::ue4m3, type::ue8m0};
constexpr std::array<std::uint8_t, 4> shifts{0, 8, 16, 32};

const type_codes& factors_of(mma_kind kind) {
  switch (kind) {
    case mma_kind::f16:
      return half_codes;
    case mma_kind::tf32:
      return tf32_codes;
    case mma_kind::i8:
      return integer_codes;
    case mma_kind::f8f6f4:
    case mma_kind::mxf8f6f4:
      return byte_codes;
    case mma_kind::mxf4:
    case mma_kind::mxf4nvf4:
      break;
  }
  return nibble_codes;
}

/// Types of D; those of block-scaled kinds are not in the descriptor.
const type_codes& sums_of(mma_kind kind) {
  if (kind == mma_kind::i8) return integer_sums;
  return kind == mma_kind::f16 || kind == mma_kind::f8f6f4 ? float_sums : single_sums;
}

/// "f16 (0) or bf16 (1)".
std::string describe(const type_codes& codes) {
  std::vector<std::string> texts;
  for (std::size_t code = 0; code < codes.size(); ++code) {
    if (codes[code] != type::none) texts.push_back(fmt::format("{} ({})", name(codes[code]), code));
  }
  return fmt::format("{}", fmt::join(texts, " or "));
}

/// Judges the fields of a descriptor, one rule after the other.
class descriptor_check {
 public:
  descriptor_check(std::uint32_t bits, const mma_form& form) : bits_(bits), form_(form), scaled_(is_block_scaled(form.kind)) {}

  /// The first mistake, empty if there is none.
  std::string mistake() {
    check_reserved();
    check_sparsity();
    check_types();
    check_flags();
    if (scaled_) check_scales();
    check_shape();
    return mistake_;
  }

 private:
  unsigned value(const bit_field& field) const { return static_cast<unsigned>(field.take(bits_)); }

  /// Notes a rule that a field breaks unless `holds`; the first one counts.
  template <class... Arguments>
  void expect(bool holds, const named_field& field, fmt::format_string<Arguments...> rule, Arguments&&... arguments) {
    if (holds || !mistake_.empty()) return;
    const std::string place =
        field.width == 1 ? fmt::format("bit {}", field.first) : fmt::format("bits {} to {}", field.first, field.last());
    mistake_ = fmt::format("{} in the instruction descriptor {:#010x} ({}) of .kind::{} {}", field.name, bits_, place, name(form_.kind),
                           fmt::format(rule, std::forward<Arguments>(arguments)...));
  }

  void check_reserved() {
    for (const bit_field& field : reserved_fields_of(form_.kind)) {
      expect(value(field) == 0, {"a reserved field", field.first, field.width}, "must be 0");
    }
    const bool nibbles = form_.kind == mma_kind::mxf4 || form_.kind == mma_kind::mxf4nvf4;
    if (nibbles) expect(value(k_field) == 0, k_field, "must be 0, as K is 64, or 128 if sparse; 96 is of sm_103 only");
  }

  void check_sparsity() {
    expect((value(sparse_field) == 1) == form_.sparse, sparse_field, "must be {:d}, as the instruction is {}", form_.sparse,
           form_.sparse ? "sparse" : "not sparse");
    if (scaled_) return;
    const bool selects = form_.sparse && (form_.kind == mma_kind::f16 || form_.kind == mma_kind::tf32);
    expect(selects || value(selector_field) == 0, selector_field, "must be 0: only sparse matrices of f16, bf16 and tf32 have one");
  }

  void check_types() {
    const type_codes &factors = factors_of(form_.kind), &sums = sums_of(form_.kind);
    const type a = factors.at(value(a_type_field)), b = factors.at(value(b_type_field));
    expect(a != type::none, a_type_field, "must be {}, not {}", describe(factors), value(a_type_field));
    expect(b != type::none, b_type_field, "must be {}, not {}", describe(factors), value(b_type_field));
    if (scaled_) return;
    const type d = sums.at(value(d_type_field));
    expect(d != type::none, d_type_field, "must be {}, not {}", describe(sums), value(d_type_field));
    const bool wide = a == type::bf16 || b == type::bf16;
    expect(d != type::f16 || !wide, d_type_field, "must be f32 (1), as A or B is of bf16");
  }

  void check_flags() {
    const bool integers = form_.kind == mma_kind::i8;
    if (!scaled_) {
      expect(integers || value(saturate_field) == 0, saturate_field, "must be 0: only integers saturate");
      expect(form_.weight_stationary || value(shift_field) == 0, shift_field, "must be 0 without .ws");
    }
    for (const named_field& field : {negate_a_field, negate_b_field}) {
      expect(!integers || value(field) == 0, field, "must be 0: integers are not negated");
    }
  }

  void check_scales() {
    const bool either = form_.kind == mma_kind::mxf4nvf4 && form_.scales == scale_vector::x4;
    expect(either || value(scale_type_field) == 1, scale_type_field, "must be 1, ue8m0, with .{}", name(form_.scales));
    const unsigned step = scales(form_.scales);
    for (const named_field& field : {scale_a_field, scale_b_field}) {
      expect(value(field) % step == 0, field, "must be {} with .{}, not {}", step == 2 ? "0 or 2" : "0", name(form_.scales), value(field));
    }
  }

  void check_shape() {
    const unsigned m = value(m_field) * m_unit, n = value(n_field) * n_unit;
    const auto ms = mma_rows(form_), ns = mma_columns(form_);
    const auto has = [](const std::vector<unsigned>& values, unsigned each) {
      return std::find(values.begin(), values.end(), each) != values.end();
    };
    const std::string what =
        fmt::format(".cta_group::{}{}{}", ctas(form_.group), form_.weight_stationary ? " and .ws" : "", form_.sparse ? " and .sp" : "");
    expect(has(ms, m), m_field, "must be {} with {}, not {}", fmt::join(ms, " or "), what, m);
    expect(has(ns, n), n_field, "must be {} with {}, not {}", fmt::join(ns, ", "), what, n);
    const bool bytes = factors_of(form_.kind) == byte_codes || form_.kind == mma_kind::i8;
    const unsigned step = 16 * ctas(form_.group);
    expect(!bytes || value(transpose_b_field) == 0 || n % step == 0, n_field, "must be a multiple of {} as B is transposed, not {}", step,
           n);
  }

  std::uint32_t bits_;
  const mma_form& form_;
  bool scaled_;
  std::string mistake_;
};

/// The index of a value; throws std::invalid_argument if there is none.
template <class Values, class Value>
unsigned code_of(const Values& values, const Value& value, std::string_view text, const named_field& field, mma_kind kind) {
  const auto* const found = std::find(values.begin(), values.end(), value);
  if (found != values.end()) return static_cast<unsigned>(found - values.begin());
  throw std::invalid_argument(fmt::format("the {} of .kind::{} cannot be {}", field.name, name(kind), text));
}

unsigned units_of(unsigned value, unsigned unit, const named_field& field) {
  if (value % unit == 0 && value / unit <= field.largest()) return value / unit;
  throw std::invalid_argument(fmt::format("{} must be a multiple of {} up to {}, not {}", field.name, unit, field.largest() * unit, value));
}

std::uint32_t place(unsigned value, const named_field& field) {
  if (value > field.largest())
    throw std::invalid_argument(fmt::format("the {} must be below {}, not {}", field.name, field.largest() + 1, value));
  return value << field.first;
}

std::uint32_t encode_scales(const instruction_descriptor& descriptor, mma_kind kind) {
  code_of(sums_of(kind), descriptor.d, name(descriptor.d), d_type_field, kind);  // which no field holds
  return place(code_of(scale_types, descriptor.scale_type, name(descriptor.scale_type), scale_type_field, kind), scale_type_field) |
         place(descriptor.scale_a_id, scale_a_field) | place(descriptor.scale_b_id, scale_b_field);
}

std::uint32_t encode_unscaled(const instruction_descriptor& descriptor, mma_kind kind) {
  return place(code_of(sums_of(kind), descriptor.d, name(descriptor.d), d_type_field, kind), d_type_field) |
         place(code_of(shifts, descriptor.max_shift, fmt::to_string(descriptor.max_shift), shift_field, kind), shift_field);
}

}  // namespace

std::string instruction_descriptor_mistake(std::uint32_t bits, const mma_form& form) {
  if (std::string mistake = mma_form_mistake(form); !mistake.empty()) return mistake;
  return descriptor_check(bits, form).mistake();
}

instruction_descriptor decode_instruction_descriptor(std::uint32_t bits, const mma_form& form) {
  if (const std::string mistake = instruction_descriptor_mistake(bits, form); !mistake.empty()) throw std::invalid_argument(mistake);
  const auto value = [bits](const bit_field& field) { return static_cast<unsigned>(field.take(bits)); };
  const auto flag = [bits](const bit_field& field) { return field.take(bits) != 0; };
  const auto major = [flag](const bit_field& field) { return flag(field) ? matrix_major::mn : matrix_major::k; };
  instruction_descriptor descriptor;
  descriptor.a = factors_of(form.kind).at(value(a_type_field));
  descriptor.b = factors_of(form.kind).at(value(b_type_field));
  descriptor.m = value(m_field) * m_unit;
  descriptor.n = value(n_field) * n_unit;
  descriptor.sparse = flag(sparse_field);
  descriptor.negate_a = flag(negate_a_field);
  descriptor.negate_b = flag(negate_b_field);
  descriptor.a_major = major(transpose_a_field);
  descriptor.b_major = major(transpose_b_field);
  if (is_block_scaled(form.kind)) {
    descriptor.scale_type = scale_types.at(value(scale_type_field));
    descriptor.scale_a_id = static_cast<std::uint8_t>(value(scale_a_field));
    descriptor.scale_b_id = static_cast<std::uint8_t>(value(scale_b_field));
    return descriptor;
  }
  descriptor.d = sums_of(form.kind).at(value(d_type_field));
  descriptor.sparsity_selector = static_cast<std::uint8_t>(value(selector_field));
  descriptor.saturate = flag(saturate_field);
  descriptor.max_shift = shifts.at(value(shift_field));
  return descriptor;
}

std::uint32_t encode(const instruction_descriptor& descriptor, const mma_form& form) {
  const type_codes& factors = factors_of(form.kind);
  const auto flag = [](bool set, const named_field& field) { return place(set ? 1 : 0, field); };
  const std::uint32_t bits =
      place(descriptor.sparsity_selector, selector_field) | flag(descriptor.sparse, sparse_field) |
      flag(descriptor.saturate, saturate_field) |
      place(code_of(factors, descriptor.a, name(descriptor.a), a_type_field, form.kind), a_type_field) |
      place(code_of(factors, descriptor.b, name(descriptor.b), b_type_field, form.kind), b_type_field) |
      flag(descriptor.negate_a, negate_a_field) | flag(descriptor.negate_b, negate_b_field) |
      flag(descriptor.a_major == matrix_major::mn, transpose_a_field) | flag(descriptor.b_major == matrix_major::mn, transpose_b_field) |
      place(units_of(descriptor.n, n_unit, n_field), n_field) | place(units_of(descriptor.m, m_unit, m_field), m_field) |
      (is_block_scaled(form.kind) ? encode_scales(descriptor, form.kind) : encode_unscaled(descriptor, form.kind));
  if (const std::string mistake = instruction_descriptor_mistake(bits, form); !mistake.empty()) throw std::invalid_argument(mistake);
  return bits;
}

}  // namespace tc::isa
