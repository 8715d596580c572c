// SPDX-License-Identifier: Apache-2.0
#include "zero_column_mask.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include <tc/isa/matrix_descriptor.hpp>

namespace tc::isa {
namespace {

// PTX ISA, "Zero-column mask descriptor".
constexpr bit_field any_field{39, 1}, skip_field{40, 8}, use_field{48, 8}, column_shift_field{56, 6};
constexpr std::array<bit_field, 2> reserved_mask_fields{{{36, 3}, {62, 2}}};
constexpr unsigned start_count_bits = 8, first_spans_bit = 32, data_path_rows = 128;

constexpr bit_field start_count_field(unsigned part) { return {part * start_count_bits, start_count_bits}; }
constexpr bit_field first_span_field(unsigned part) { return {first_spans_bit + part, 1}; }

}  // namespace

std::string zero_column_mask_mistake(std::uint64_t bits, unsigned m) {
  for (const bit_field& field : reserved_mask_fields) {
    if (field.take(bits) != 0) {
      return fmt::format("bits {} to {} of the zero-column mask {:#018x} must be 0", field.first, field.last(), bits);
    }
  }
  const unsigned largest = m == 32 ? 16 : 32;
  if (column_shift_field.take(bits) > largest) {
    return fmt::format("the column shift of the zero-column mask {:#018x} (bits 56 to 61) must be at most {} where M is {}, not {}", bits,
                       largest, m, column_shift_field.take(bits));
  }
  return {};
}

zero_column_mask decode_zero_column_mask(std::uint64_t bits, unsigned m) {
  if (const std::string mistake = zero_column_mask_mistake(bits, m); !mistake.empty()) throw std::invalid_argument(mistake);
  const auto value = [bits](const bit_field& field) { return static_cast<std::uint8_t>(field.take(bits)); };
  zero_column_mask mask;
  for (unsigned part = 0; part < zero_column_mask::parts; ++part) {
    mask.start_counts.at(part) = value(start_count_field(part));
    mask.first_spans.at(part) = value(first_span_field(part)) != 0;
  }
  mask.any = value(any_field) != 0;
  mask.skip_span = value(skip_field);
  mask.use_span = value(use_field);
  mask.column_shift = value(column_shift_field);
  return mask;
}

std::uint64_t encode(const zero_column_mask& mask, unsigned m) {
  const auto place = [](std::uint64_t value, const bit_field& field) { return value << field.first; };
  std::uint64_t bits = place(mask.any ? 1 : 0, any_field) | place(mask.skip_span, skip_field) | place(mask.use_span, use_field) |
                       place(mask.column_shift, column_shift_field);
  for (unsigned part = 0; part < zero_column_mask::parts; ++part) {
    bits |= place(mask.start_counts.at(part), start_count_field(part)) | place(mask.first_spans.at(part) ? 1 : 0, first_span_field(part));
  }
  if (const std::string mistake = zero_column_mask_mistake(bits, m); !mistake.empty()) throw std::invalid_argument(mistake);
  return bits;
}

std::vector<bool> zero_columns(const zero_column_mask& mask, unsigned m, unsigned n) {
  std::vector<bool> zero(n, false);
  if (!mask.any) return zero;
  const unsigned width = n / (data_path_rows / m), zeros = mask.skip_span + 1U, others = mask.use_span + 1U;
  for (unsigned column = 0; column < n; ++column) {
    const unsigned part = column / width, place = (column % width + mask.start_counts.at(part)) % (zeros + others);
    zero[column] = mask.first_spans.at(part) ? place < zeros : place >= others;
  }
  return zero;
}

}  // namespace tc::isa
